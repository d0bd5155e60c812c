import type { ReactNode } from "react";
import { Form } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import styles from "./newsletter-issue.module.css";

interface NewsletterIssueFormProps {
  saved: { subject: string; body: string };
  lastResult: FormReply | undefined;
  /** What the form carries along. */
  children: ReactNode;
}

/** Where staff write an issue. */
export function NewsletterIssueForm({ saved, lastResult, children }: NewsletterIssueFormProps) {
  const form = useForm({
    id: "issue",
    lastResult,
    defaultValue: saved,
    rules: async () => (await import("./newsletter-schema.ts")).issueSchema,
  });
  return (
    <Form method="post" preventScrollReset className={styles.form} {...form.props}>
      <FormAlert errors={form.errors} />
      {children}
      <TextField label="Subject" {...form.field("subject")} />
      <TextArea
        label="Text"
        description="Blank lines part paragraphs; addresses become links in the reader's program. The first paragraph stands beside the subject in a mailbox. No promise of earnings."
        rows={16}
        {...form.field("body")}
      />
      <div>
        <SubmitButton name="intent" value="save" pendingText="Saving…">
          Save draft
        </SubmitButton>
      </div>
    </Form>
  );
}
