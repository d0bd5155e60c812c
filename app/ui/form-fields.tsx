import {
  type FieldMetadata,
  getInputProps,
  getSelectProps,
  getTextareaProps,
} from "@conform-to/react";
import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { Notice } from "./notice.tsx";
import { useHydrated } from "./use-hydrated.ts";

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
 * Props of a Mantine input for one field of a conform form:
 * `<TextInput label="Email" {...field(fields.email, "email")} />`.
 * Mantine itself points `aria-describedby` at the error and the description.
 */
export function field<Schema>(meta: FieldMetadata<Schema>, type: InputType = "text") {
  return { ...bare(getInputProps(meta, { type, ariaAttributes: false })), ...errorOf(meta) };
}

/** The same for a `Checkbox`. */
export function checkbox<Schema>(meta: FieldMetadata<Schema>) {
  const { type, ...props } = bare(getInputProps(meta, { type: "checkbox", ariaAttributes: false }));
  return { ...props, error: errorOf(meta).error };
}

/** The same for a `NativeSelect`. */
export function select<Schema>(meta: FieldMetadata<Schema>) {
  const { defaultValue, multiple, ...props } = bare(
    getSelectProps(meta, { ariaAttributes: false }),
  );
  return { ...props, ...errorOf(meta), ...(defaultValue === undefined ? {} : { defaultValue }) };
}

/** The same for a `Textarea`. */
export function textarea<Schema>(meta: FieldMetadata<Schema>) {
  return { ...bare(getTextareaProps(meta, { ariaAttributes: false })), ...errorOf(meta) };
}

/** React takes `key` apart from the other props. */
function bare<Props extends { key?: string | undefined }>({
  key,
  ...props
}: Props): Omit<Props, "key"> {
  return props;
}

function errorOf<Schema>(meta: FieldMetadata<Schema>) {
  const error: string | undefined = meta.errors?.[0];
  return { error, errorProps: { id: meta.errorId } };
}

/** What is wrong with a form as a whole, announced to screen readers. */
export function FormAlert({
  errors,
  id,
}: {
  errors: readonly ReactNode[] | null | undefined;
  id?: string;
}) {
  if (!errors?.length) return null;
  return (
    <div id={id}>
      <Notice tone="error">{errors.join(" ")}</Notice>
    </div>
  );
}

interface SubmitButtonProps extends ButtonProps {
  children: ReactNode;
  /** What the button says while the form is under way: 'Submitting...'. */
  pendingText?: ReactNode;
  /** Whether it is; otherwise any submission to this page counts. */
  pending?: boolean;
  /** For forms with several actions. */
  name?: string;
  value?: string;
}

/** A form's button: says so and takes no second click while the form is under way. */
export function SubmitButton({ children, pendingText, pending, ...rest }: SubmitButtonProps) {
  const navigation = useNavigation();
  const underWay = pending ?? navigation.formMethod === "POST";
  return (
    <Button type="submit" {...rest} disabled={rest.disabled || underWay} aria-busy={underWay}>
      {underWay ? (pendingText ?? children) : children}
    </Button>
  );
}

/** Shows what was typed as it would stand, for who has no JavaScript; with it the page does so by itself. */
export function PreviewButton() {
  if (useHydrated()) return null;
  return (
    <noscript>
      <Button type="submit" variant="default" name="intent" value="preview">
        Preview
      </Button>
    </noscript>
  );
}
