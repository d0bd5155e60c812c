import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "react-router";
import { describedBy, Field } from "#app/ui/controls/field.tsx";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { field, textarea } from "#app/ui/forms/form-fields.tsx";
import { constraintsOf, parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { messageFiles } from "#core/contact.ts";
import { slipExtensions, slipMediaTypes } from "#core/payments/deposit.ts";
import { answerSchema, newMessageSchema } from "./message-schema.ts";
import styles from "./messages.module.css";

const accept = [...slipMediaTypes, ...slipExtensions].join(",");
const rule = `Optional. Up to ${messageFiles.most} files, ${messageFiles.maxBytes / 1024 / 1024} MB together: JPEG, PNG, WebP, HEIC or PDF.`;

interface MessageFormProps {
  /** What a new thread begins with; without it the form answers in one. */
  opening?: { subject: string; about: string };
  submissionKey: string;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** What a customer writes to staff, with files. */
export function MessageForm({ opening, submissionKey, lastResult }: MessageFormProps) {
  const schema = opening ? newMessageSchema : answerSchema;
  const [form, fields] = useForm<{ subject: string; message: string; files: string }>({
    id: "message",
    lastResult: lastResult as never,
    defaultValue: { subject: opening?.subject ?? "" },
    constraint: constraintsOf(schema) as never,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema }) as never,
  });
  const filesError = fields.files.errors?.[0];
  return (
    <Form method="post" encType="multipart/form-data" preventScrollReset {...getFormProps(form)}>
      <FieldStack>
        <FormAlert errors={form.errors} id={form.errorId} />
        <input type="hidden" name="submissionKey" value={submissionKey} />
        {opening ? (
          <>
            <input type="hidden" name="about" value={opening.about} />
            <TextField label="Subject" {...field(fields.subject)} />
          </>
        ) : null}
        <TextArea label="Message" rows={8} {...textarea(fields.message)} />
        <Field
          id="message-files"
          label="Files"
          description={rule}
          error={filesError}
          errorRole="alert"
        >
          <input
            id="message-files"
            type="file"
            name="files"
            multiple
            accept={accept}
            className={styles.file}
            {...describedBy("message-files", { description: rule, error: filesError })}
          />
        </Field>
        <div>
          <SubmitButton pendingText="Sending…">Send message</SubmitButton>
        </div>
      </FieldStack>
    </Form>
  );
}
