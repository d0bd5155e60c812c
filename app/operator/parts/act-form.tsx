import type { ReactNode } from "react";
import { Form } from "react-router";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { type FormFields, type FormRules, useForm } from "#app/ui/forms/use-form.ts";
import styles from "./act-form.module.css";

/** What a page with several forms says of the one that came in. */
export interface FormAnswer {
  form: string;
  result: FormReply;
}

interface ActFormProps<Name extends string> {
  /** The value of `intent` that the page's action knows the form by. */
  intent: string;
  /** Where several forms of one intent stand on a page: which one it is. */
  id?: string;
  /** None for a form without fields. */
  rules?: FormRules<Name>;
  answer: FormAnswer | undefined;
  defaults?: { [Each in NoInfer<Name>]?: string };
  /** What the form sends beside its fields. */
  hidden?: Record<string, string>;
  button: string;
  pendingText: string;
  tone?: "primary" | "plain" | "danger";
  children?: (form: FormFields<Name>) => ReactNode;
}

/** A form of the console for one act: its fields, what was refused and why beside them, and one button. */
export function ActForm<Name extends string>(props: ActFormProps<Name>) {
  const { intent, id = intent, rules, answer, defaults, hidden = {}, children } = props;
  const form = useForm({
    id,
    lastResult: answer?.form === id ? answer.result : null,
    ...(defaults && { defaultValue: defaults }),
    ...(rules && { rules }),
  });
  const tones = {
    primary: {},
    plain: { look: "quiet" },
    danger: { look: "outline", tone: "brick" },
  } as const;
  return (
    <Form method="post" preventScrollReset className={styles.form} {...form.props}>
      <FormAlert errors={form.errors} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="form" value={id} />
      {children?.(form)}
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
