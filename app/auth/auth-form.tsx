import type { ReactNode } from "react";
import { Form } from "react-router";
import { InlineScript } from "#app/ui/browser/inline-script.tsx";
import { Button } from "#app/ui/controls/button.tsx";
import type { Answer } from "./answer.ts";
import styles from "./auth-form.module.css";
import { busyWords } from "./busy-terms.ts";
import { FormWords } from "./form-words.tsx";

/** The forms with rules (forms.ts) that the page's script knows too. */
export type FormName = "sign-in" | "sign-up" | "forgot-password" | "reset-password";

interface AuthFormProps {
  name: FormName;
  answer: Answer | undefined;
  /** Said when no answer came. Left out where it may have been done all the same. */
  failure?: string;
  button: string;
  children: ReactNode;
}

/**
 * One of the forms around signing in, as the server draws it: with what was typed and what is wrong. With a script
 * it is checked while a reader types and sent without leaving the page (enhance/checked-forms.ts).
 */
export function AuthForm({ name, answer, failure, button, children }: AuthFormProps) {
  const formErrors = answer?.result?.error?.[""] ?? [];
  return (
    <Form
      method="post"
      className={styles.fields}
      noValidate
      data-checked={name}
      data-failure={failure}
    >
      <InlineScript text={noteLeft} />
      <FormWords
        errors={answer?.failure ? [`${answer.failure}.`, ...formErrors] : formErrors}
        warning={answer?.busy ? busyWords[name === "forgot-password" ? "plain" : "password"] : null}
      />
      {children}
      <input type="hidden" name="proof" value="" />
      <input type="hidden" name="waitingSince" value={answer?.busy?.waitingSince ?? ""} />
      <Button type="submit" wide pendingText={button} spinner>
        {button}
      </Button>
    </Form>
  );
}

/** Notes which fields are left before the form's script is there to check them. */
const noteLeft = `
document.currentScript.parentElement.addEventListener("focusout", ({ target }) => target.setAttribute("data-left", ""));
`.trim();

/** What a field is told about itself: `<TextField label="Email" {...field("email")} />`. A password is never sent back. */
export function fieldOf(answer: Answer | undefined) {
  const errors = Object.entries(answer?.result?.error ?? {}).filter(
    ([name, words]) => name !== "" && words?.length,
  );
  const typed = answer?.result?.initialValue ?? {};
  return (name: string) => {
    const value = typed[name];
    const isPassword = /password/i.test(name);
    return {
      id: `field-${name}`,
      name,
      required: true,
      error: errors.find(([wrong]) => wrong === name)?.[1]?.[0],
      ...(typeof value === "string" && !isPassword && { defaultValue: value }),
      ...(errors[0]?.[0] === name && { autoFocus: true }),
    };
  };
}

/** The same of a box to tick, which may be left. */
export function checkOf(answer: Answer | undefined) {
  const field = fieldOf(answer);
  return (name: string) => {
    const { required, defaultValue, ...props } = { defaultValue: undefined, ...field(name) };
    return { ...props, defaultChecked: defaultValue === "on" };
  };
}
