import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Textarea } from "@mantine/core";
import { Form } from "react-router";
import { FormAlert, SubmitButton, textarea } from "#app/ui/form-fields.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { parseForm } from "#app/ui/parse-form.ts";
import styles from "./message.module.css";
import { replySchema } from "./message-schema.ts";

interface MessageReplyFormProps {
  /** The revision of the thread that is in view. */
  seen: number;
  submissionKey: string;
  email: string;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** Where staff answer. It leaves as a mail, signed with the operator's first name. */
export function MessageReplyForm({
  seen,
  submissionKey,
  email,
  lastResult,
}: MessageReplyFormProps) {
  const [form, fields] = useForm({
    id: "reply",
    lastResult,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: replySchema }),
  });
  return (
    <Panel title="Answer">
      <Form method="post" preventScrollReset className={styles.form} {...getFormProps(form)}>
        <FormAlert errors={form.errors} id={form.errorId} />
        <input type="hidden" name="seen" value={seen} />
        <input type="hidden" name="submissionKey" value={submissionKey} />
        <Textarea
          label="Your answer"
          description={`Goes by mail to ${email}, after a greeting and before your first name`}
          rows={8}
          data-key="a"
          {...textarea(fields.text)}
        />
        <div>
          <SubmitButton name="intent" value="reply" pendingText="Sending…">
            Send answer
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
