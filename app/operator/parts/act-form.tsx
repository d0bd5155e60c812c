import { type ReactNode, useState } from "react";
import { Form } from "react-router";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { type FormFields, type FormRules, useForm } from "#app/ui/forms/use-form.ts";
import layout from "#app/ui/page/layout.module.css";
import styles from "./act-form.module.css";

/** What a page with several forms says of the one that came in. */
export interface FormAnswer {
  form: string;
  result: FormReply;
}

interface FormParts {
  /** The value of `intent` that the page's action knows the form by. */
  intent: string;
  /** What the form sends beside its fields. */
  hidden?: Record<string, string>;
  button: string;
  pendingText?: string;
  tone?: "primary" | "plain" | "danger";
}

interface PlainFormProps extends FormParts {
  /** Why it was refused, where `useForm` does not say it. */
  fault?: string | undefined;
  form?: Pick<ReturnType<typeof useForm>, "errors" | "props">;
  children?: ReactNode;
}

const tones = {
  primary: {},
  plain: { look: "quiet" },
  danger: { look: "outline", tone: "brick" },
} as const;

/** A form of the console for one act: why it was refused, its fields, and one button. */
export function PlainForm({ intent, form, children, ...props }: PlainFormProps) {
  return (
    <Form method="post" preventScrollReset className={layout.form} {...form?.props}>
      <FormAlert errors={form?.errors ?? (props.fault ? [props.fault] : null)} />
      {Object.entries(props.hidden ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
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

type Typed = NonNullable<FormReply["initialValue"]>;

/** Of what a form was made: a colleague who changed that meanwhile makes it refused. */
interface Seen {
  /** Sent as `seen`. */
  mark: string;
  /** What takes the place of what was typed in a form that was refused as old, so that sent once more it undoes nothing unseen. */
  again(typed: Typed): Record<string, string>;
}

interface ActFormProps<Name extends string> extends FormParts {
  seen?: Seen;
  /** Where several forms of one intent stand on a page: which one it is. */
  id?: string;
  /** None for a form without fields. */
  rules?: FormRules<Name>;
  answer: FormAnswer | undefined;
  defaults?: { [Each in NoInfer<Name>]?: string };
  children?: (form: FormFields<Name>) => ReactNode;
}

/** The same with rules that the browser checks too, and what was refused beside its field. */
export function ActForm<Name extends string>(props: ActFormProps<Name>) {
  return <FormOfSeen key={props.seen?.mark} {...props} />;
}

function FormOfSeen<Name extends string>(props: ActFormProps<Name>) {
  const { id, seen, rules, answer, defaults, children, ...parts } = props;
  const known = id ?? parts.intent;
  const result = answer?.form === known ? answer.result : null;
  const [renewed] = useState(seen && result && renew(result, seen));
  const form = useForm({
    id: known,
    lastResult: renewed?.of === result ? (renewed?.result ?? null) : result,
    ...(defaults && { defaultValue: defaults }),
    ...(rules && { rules }),
  });
  return (
    <PlainForm
      {...parts}
      form={form}
      hidden={{ ...parts.hidden, form: known, ...(seen && { seen: seen.mark }) }}
    >
      {children?.(form)}
    </PlainForm>
  );
}

/** The answer to a form that is older than what the page shows by now, and null of every other. */
function renew(of: FormReply, { mark, again }: Seen) {
  const typed = of.initialValue;
  if (typed === null || (typed["seen"] ?? "") === mark) return null;
  return { of, result: { ...of, initialValue: { ...typed, ...again(typed) } } };
}

/** Fields side by side, where there is room. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>;
}
