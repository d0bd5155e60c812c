import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import { slipExtensions, slipMediaTypes } from "#core/payments/deposit.ts";
import { describedBy, Field, type FieldWords } from "./field.tsx";
import styles from "./file-field.module.css";

/** What pictures and documents of payments and people come as: for `accept`, and in words. */
export const pictureTypes = [...slipMediaTypes, ...slipExtensions].join(",");
export const pictureWords = "JPEG, PNG, WebP, HEIC or PDF";

interface FileFieldProps extends FieldWords, InputHTMLAttributes<HTMLInputElement> {
  /** What is said above the input, such as of a file that is kept. */
  children?: ReactNode;
}

/** Files to send, with the browser's own input: it works before a script is there. */
export function FileField({ label, description, error, children, ...input }: FileFieldProps) {
  const made = useId();
  const { id = made } = input;
  return (
    <Field id={id} label={label} description={description} error={error} errorRole="alert">
      {children}
      <input
        {...input}
        id={id}
        type="file"
        className={styles.file}
        {...describedBy(id, { description, error })}
      />
    </Field>
  );
}
