import type { ReactNode } from "react";
import styles from "./auth-form.module.css";

interface CheckFieldProps {
  label: ReactNode;
  name: string;
  typed?: string | undefined;
  error?: string | undefined;
  isFirstWrong?: boolean;
}

/** A box to tick, with its error under it. */
export function CheckField({ label, name, typed, error, isFirstWrong }: CheckFieldProps) {
  const id = `field-${name}`;
  const errorId = `${id}-error`;
  return (
    <div>
      <div className={styles.check}>
        <input
          type="checkbox"
          id={id}
          name={name}
          className={styles.tick}
          defaultChecked={typed === "on"}
          {...(isFirstWrong && { autoFocus: true })}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={errorId}
        />
        <label htmlFor={id}>{label}</label>
      </div>
      <p id={errorId} className={`${styles.error} ${styles.indented}`} data-error-of={name}>
        {error}
      </p>
    </div>
  );
}
