import { Form } from "react-router";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { FileField, pictureTypes, pictureWords } from "#app/ui/controls/file-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { contactLimits, messageFiles } from "#core/contact.ts";

const rule = `Optional. Up to ${messageFiles.most} files, ${messageFiles.maxBytes / 1024 / 1024} MB together: ${pictureWords}.`;

interface MessageFormProps {
  /** What a new thread begins with; without it the form answers in one. */
  opening?: { subject: string; about: string };
  submissionKey: string;
  lastResult: FormReply | undefined;
}

/** What a customer writes to staff, with files. */
export function MessageForm({ opening, submissionKey, lastResult }: MessageFormProps) {
  const form = useForm<"subject" | "message" | "files">({
    id: "message",
    lastResult,
    defaultValue: { subject: opening?.subject ?? "" },
    rules: async () => {
      const { answerSchema, newMessageSchema } = await import("./message-schema.ts");
      return opening ? newMessageSchema : answerSchema;
    },
  });
  const filesError = form.error("files");
  return (
    <Form method="post" encType="multipart/form-data" preventScrollReset {...form.props}>
      <FieldStack>
        <FormAlert errors={form.errors} />
        <FormKey fresh={submissionKey} />
        {opening ? (
          <>
            <input type="hidden" name="about" value={opening.about} />
            <TextField
              label="Subject"
              required
              maxLength={contactLimits.subject}
              {...form.field("subject")}
            />
          </>
        ) : null}
        <TextArea
          label="Message"
          rows={8}
          required
          maxLength={contactLimits.message}
          {...form.field("message")}
        />
        <FileField
          name="files"
          label="Files"
          description={rule}
          error={filesError}
          accept={pictureTypes}
          multiple
        />
        <div>
          <SubmitButton pendingText="Sending…">Send message</SubmitButton>
        </div>
      </FieldStack>
    </Form>
  );
}
