import type { ReactNode } from "react";
import styles from "./fields.module.css";

export interface FieldWords {
  label?: ReactNode;
  /** What the field takes, in a line under its label. */
  description?: ReactNode;
  /** What must be mended. */
  error?: ReactNode;
}

interface FieldProps extends FieldWords {
  /** The control's id; its words have ids made from it. */
  id: string;
  name?: string | undefined;
  /** `alert`: the error comes while the reader is elsewhere on the page. */
  errorRole?: "alert";
  className?: string | undefined;
  children: ReactNode;
}

/** A control between its label and its error, for a control of a page's own; others bring it along. */
export function Field(props: FieldProps) {
  const { id, name, label, description, error, errorRole, className, children } = props;
  return (
    <div className={[styles.field, className].filter(Boolean).join(" ")}>
      {label ? (
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
      ) : null}
      {description ? (
        <p id={`${id}-description`} className={styles.description}>
          {description}
        </p>
      ) : null}
      {children}
      <FieldError id={id} name={name} role={errorRole}>
        {error}
      </FieldError>
    </div>
  );
}

/** There while nothing is wrong too: scripts of pages that React does not take over write into it. */
export function FieldError(props: {
  id: string;
  name?: string | undefined;
  role?: "alert" | undefined;
  children: ReactNode;
}) {
  const { id, name, role, children } = props;
  return (
    <p id={`${id}-error`} className={styles.error} role={role} data-error-of={name}>
      {children}
    </p>
  );
}

/** What a control says of the words around it. */
export function describedBy(id: string, { description, error }: FieldWords) {
  return {
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": `${description ? `${id}-description ` : ""}${id}-error`,
  };
}
