import styles from "./contact.module.css";

interface ContactFieldProps {
  label: string;
  name: string;
  maxLength: number;
  /** What was typed before. */
  value: string | undefined;
  error: string | undefined;
  /** Whether it is the first that must be mended. */
  isFirstWrong: boolean;
  type?: "text" | "email";
  autoComplete?: string;
  /** A field of several lines with so many in view. */
  rows?: number;
}

/** A field of a public form, with its error under it. It needs no script. */
export function ContactField({
  label,
  error,
  isFirstWrong,
  value,
  rows,
  ...rest
}: ContactFieldProps) {
  const id = `contact-${rest.name}`;
  const errorId = `${id}-error`;
  const props = {
    ...rest,
    id,
    className: styles.input,
    required: true,
    defaultValue: value ?? "",
    autoFocus: isFirstWrong,
    ...(error !== undefined && { "aria-invalid": true, "aria-describedby": errorId }),
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? <input {...props} /> : <textarea {...props} rows={rows} />}
      {error === undefined ? null : (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
