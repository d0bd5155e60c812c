import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from "react";
import { describedBy, Field, type FieldWords } from "./field.tsx";
import styles from "./fields.module.css";

export interface TextFieldProps
  extends FieldWords,
    Omit<InputHTMLAttributes<HTMLInputElement>, "size"> {
  ref?: Ref<HTMLInputElement>;
  /** In the field, before what is typed. */
  icon?: ReactNode;
  /** In the field, behind it: a coin, or a button. */
  unit?: ReactNode;
  /** For what is compared letter by letter: an address, a transaction id. */
  code?: boolean;
  /** For what is never long: a date, a number. */
  narrow?: boolean;
}

/** A line of text between its label and its error. */
export function TextField({ label, description, error, icon, unit, ...props }: TextFieldProps) {
  const made = useId();
  const { id = made, className, code, narrow, type = "text", ...input } = props;
  return (
    <Field
      id={id}
      label={label}
      description={description}
      error={error}
      className={className}
      name={input.name}
    >
      <div className={`${styles.box} ${narrow ? styles.narrow : ""}`}>
        {icon ? <span className={styles.icon}>{icon}</span> : null}
        <input
          id={id}
          type={type}
          className={`${styles.input} ${code ? styles.code : ""}`}
          {...describedBy(id, { description, error })}
          {...input}
        />
        {unit ? <span className={styles.unit}>{unit}</span> : null}
      </div>
    </Field>
  );
}
