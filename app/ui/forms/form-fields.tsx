import {
  type FieldMetadata,
  getInputProps,
  getSelectProps,
  getTextareaProps,
} from "@conform-to/react";
import type { FocusEvent } from "react";

type InputType =
  | "text"
  | "email"
  | "password"
  | "search"
  | "tel"
  | "url"
  | "number"
  | "date"
  | "file"
  | "hidden";

/**
 * Props of a `TextField` for one field of a conform form: `<TextField label="Email" {...field(fields.email, "email")} />`.
 * The control itself points `aria-describedby` at the error and the description.
 */
export function field<Schema>(meta: FieldMetadata<Schema>, type: InputType = "text") {
  return { ...bare(getInputProps(meta, { type, ariaAttributes: false })), ...errorOf(meta) };
}

/** The same for a `CheckField`. */
export function checkbox<Schema>(meta: FieldMetadata<Schema>) {
  const { type, ...props } = bare(getInputProps(meta, { type: "checkbox", ariaAttributes: false }));
  return { ...props, error: errorOf(meta).error };
}

/** The same for a `SelectField`. */
export function select<Schema>(meta: FieldMetadata<Schema>) {
  const { defaultValue, multiple, ...props } = bare(
    getSelectProps(meta, { ariaAttributes: false }),
  );
  return { ...props, ...errorOf(meta), ...(defaultValue === undefined ? {} : { defaultValue }) };
}

/** The same for a `TextArea`. */
export function textarea<Schema>(meta: FieldMetadata<Schema>) {
  return { ...bare(getTextareaProps(meta, { ariaAttributes: false })), ...errorOf(meta) };
}

/**
 * Props of a conform form that says what is wrong with a field when it is left, but only if something was typed: a keyboard that passes
 * through an empty form hears no errors. Use with `shouldValidate: "onSubmit"`.
 */
export function checkTyped(form: { validate: (of: { name: string }) => void }) {
  return {
    onBlur({ target }: FocusEvent<HTMLFormElement, Element>) {
      const isField =
        target instanceof HTMLInputElement ||
        target instanceof HTMLSelectElement ||
        target instanceof HTMLTextAreaElement;
      if (isField && target.name && !unread.includes(target.type) && target.value !== "") {
        form.validate({ name: target.name });
      }
    },
  };
}

/** Fields into which nothing is typed. */
const unread: readonly string[] = ["file", "checkbox", "radio"];

/** React takes `key` apart from the other props. */
function bare<Props extends { key?: string | undefined }>({
  key,
  ...props
}: Props): Omit<Props, "key"> {
  return props;
}

function errorOf<Schema>(meta: FieldMetadata<Schema>) {
  const error: string | undefined = meta.errors?.[0];
  return { error };
}
