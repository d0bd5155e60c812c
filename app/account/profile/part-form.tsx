import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import type { FormFields } from "#app/ui/forms/use-form.ts";
import { useForm } from "#app/ui/forms/use-form.ts";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import styles from "./profile.module.css";
import type { PartAnswer } from "./save-part.ts";
import type { PartName } from "./schemas.ts";

/** What every part of the page is given. */
export interface PartProps {
  /** The mark of what is there now. */
  seen: string;
  /** What was said to a form that was not saved, of whichever part. */
  answer: (PartAnswer & { seen: string }) | undefined;
}

interface PartFormProps<Fields extends Record<string, string>> extends PartProps {
  part: PartName;
  title: string;
  /** What is in the fields when nothing was typed. */
  saved: Fields;
  button?: string;
  about?: ReactNode;
  children(form: FormFields<keyof Fields & string>): ReactNode;
  /** Below the form. */
  after?: ReactNode;
}

/** A part of the profile: a panel with a form that is saved on its own. */
export function PartForm<Fields extends Record<string, string>>(props: PartFormProps<Fields>) {
  const { part, title, saved, about, children, after, button = "Save" } = props;
  const own = props.answer?.part === part ? props.answer : undefined;
  const form = useForm({
    id: part,
    lastResult: own?.result as never,
    defaultValue: saved,
    checksOnLeave: true,
    rules: async () => (await import("./schemas.ts")).partSchemas[part],
  });
  const { formData } = useNavigation();
  const pending = formData?.get("part") === part;
  return (
    <Panel title={<span id={`part-${part}`}>{title}</span>}>
      {about ? <div className={styles.about}>{about}</div> : null}
      <Form method="post" preventScrollReset className={layout.form} {...form.props}>
        <FormAlert errors={form.errors} />
        <input type="hidden" name="part" value={part} />
        <input type="hidden" name="seen" value={own?.seen ?? props.seen} />
        {children(form)}
        <div>
          <SubmitButton pending={pending} pendingText="Saving…" look="quiet">
            {button}
          </SubmitButton>
        </div>
      </Form>
      {after}
    </Panel>
  );
}
