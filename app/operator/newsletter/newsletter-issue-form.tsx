import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { field, textarea } from "#app/ui/forms/form-fields.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import styles from "./newsletter-issue.module.css";
import { issueSchema } from "./newsletter-schema.ts";

interface NewsletterIssueFormProps {
  saved: { subject: string; body: string };
  lastResult: SubmissionResult<string[]> | undefined;
  /** What the form carries along. */
  children: ReactNode;
}

/** Where staff write an issue. */
export function NewsletterIssueForm({ saved, lastResult, children }: NewsletterIssueFormProps) {
  const [form, fields] = useForm({
    id: "issue",
    lastResult,
    defaultValue: saved,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: issueSchema }),
  });
  return (
    <Form method="post" preventScrollReset className={styles.form} {...getFormProps(form)}>
      <FormAlert errors={form.errors} id={form.errorId} />
      {children}
      <TextField label="Subject" {...field(fields.subject)} />
      <TextArea
        label="Text"
        description="Blank lines part paragraphs; addresses become links in the reader's program. The first paragraph stands beside the subject in a mailbox. No promise of earnings."
        rows={16}
        {...textarea(fields.body)}
      />
      <div>
        <SubmitButton name="intent" value="save" pendingText="Saving…">
          Save draft
        </SubmitButton>
      </div>
    </Form>
  );
}
