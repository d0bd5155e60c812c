import { type Ref, type TextareaHTMLAttributes, useId } from "react";
import { describedBy, Field, type FieldWords } from "./field.tsx";
import styles from "./fields.module.css";

interface TextAreaProps extends FieldWords, TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>;
  /** Whether it is as high as what is in it. */
  grow?: boolean;
}

/** Several lines of text. */
export function TextArea({ label, description, error, ...props }: TextAreaProps) {
  const made = useId();
  const { id = made, className, grow, ...area } = props;
  return (
    <Field
      id={id}
      label={label}
      description={description}
      error={error}
      className={className}
      name={area.name}
    >
      <textarea
        id={id}
        className={`${styles.input} ${styles.area} ${grow ? styles.grow : ""}`}
        {...describedBy(id, { description, error })}
        {...area}
      />
    </Field>
  );
}
