import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import styles from "./auth-form.module.css";

interface TextFieldProps {
  label: string;
  name: string;
  typed?: string | undefined;
  error?: string | undefined;
  /** Whether it is the first that must be mended. */
  isFirstWrong?: boolean;
  description?: string;
  type?: "text" | "email" | "password";
  autoComplete?: string;
  autoFocus?: boolean;
  maxLength?: number;
}

/** A field with its error under it. A password can be looked at, and what was typed of it is never sent back. */
export function TextField(props: TextFieldProps) {
  const { label, typed, error, isFirstWrong, description, autoFocus, ...rest } = props;
  const id = `field-${rest.name}`;
  const descriptionId = description ? `${id}-description` : "";
  const errorId = `${id}-error`;
  const isPassword = rest.type === "password";
  const focus = isFirstWrong || autoFocus;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {description ? (
        <p id={descriptionId} className={styles.description}>
          {description}
        </p>
      ) : null}
      <div className={styles.box}>
        <input
          {...rest}
          id={id}
          className={styles.input}
          required
          {...(!isPassword && typed !== undefined && { defaultValue: typed })}
          {...(focus && { autoFocus: true })}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={`${descriptionId} ${errorId}`.trim()}
        />
        {isPassword ? <RevealButton id={id} /> : null}
      </div>
      <p id={errorId} className={styles.error} data-error-of={rest.name}>
        {error}
      </p>
    </div>
  );
}

/** Without a script it is not there. */
function RevealButton({ id }: { id: string }) {
  return (
    <button
      type="button"
      className={styles.reveal}
      data-reveal={id}
      aria-label="Show password"
      aria-pressed="false"
      aria-controls={id}
    >
      <Eye size={18} aria-hidden="true" />
      <EyeOff size={18} aria-hidden="true" />
    </button>
  );
}
