import {
  type FieldMetadata,
  getFormProps,
  type SubmissionResult,
  useForm,
} from "@conform-to/react";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import type { z } from "#core/zod.ts";
import styles from "./act-form.module.css";

/** What a page with several forms says of the one that came in. */
export interface FormAnswer {
  form: string;
  result: SubmissionResult<string[]>;
}

interface ActFormProps<Input extends Record<string, string>> {
  /** The value of `intent` that the page's action knows the form by. */
  intent: string;
  /** Where several forms of one intent stand on a page: which one it is. */
  id?: string;
  schema: z.ZodMiniType<unknown, unknown>;
  answer: FormAnswer | undefined;
  defaults?: Partial<Input>;
  /** What the form sends beside its fields. */
  hidden?: Record<string, string>;
  button: string;
  pendingText: string;
  tone?: "primary" | "plain" | "danger";
  children?: (fields: { [Name in keyof Input]: FieldMetadata<string> }) => ReactNode;
}

/** A form of the console for one act: its fields, what was refused and why beside them, and one button. */
export function ActForm<Input extends Record<string, string>>(props: ActFormProps<Input>) {
  const { intent, id = intent, schema, answer, defaults, hidden = {}, children } = props;
  const [form, fields] = useForm<Record<string, string>>({
    id,
    lastResult: answer?.form === id ? answer.result : null,
    ...(defaults && { defaultValue: defaults as Record<string, string> }),
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: schema as never }),
  });
  const tones = {
    primary: {},
    plain: { look: "quiet" },
    danger: { look: "outline", tone: "brick" },
  } as const;
  return (
    <Form method="post" preventScrollReset className={styles.form} {...getFormProps(form)}>
      <FormAlert errors={form.errors} id={form.errorId} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="form" value={id} />
      {children?.(fields as unknown as { [Name in keyof Input]: FieldMetadata<string> })}
      <div>
        <SubmitButton
          name="intent"
          value={intent}
          pendingText={props.pendingText}
          {...tones[props.tone ?? "primary"]}
        >
          {props.button}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** Fields side by side, where there is room. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>;
}

/** A form that is folded away until it is wanted, and open while it has something to say. */
export function Folded({
  title,
  open = false,
  children,
}: {
  title: string;
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details className={styles.folded} open={open}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
