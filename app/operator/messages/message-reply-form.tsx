import { TextArea } from "#app/ui/controls/text-area.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { useForm } from "#app/ui/forms/use-form.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { PlainForm } from "../parts/act-form.tsx";

interface MessageReplyFormProps {
  /** The revision of the thread that is in view. */
  seen: number;
  submissionKey: string;
  /** Where the answer goes by mail; null: a customer reads it in the account. */
  email: string | null;
  lastResult: FormReply | undefined;
}

/** Where staff answer, signed with the operator's first name. */
export function MessageReplyForm({
  seen,
  submissionKey,
  email,
  lastResult,
}: MessageReplyFormProps) {
  const form = useForm({
    id: "reply",
    lastResult,
    rules: async () => (await import("./message-schema.ts")).replySchema,
  });
  return (
    <Panel title="Answer">
      <PlainForm
        intent="reply"
        form={form}
        hidden={{ seen: String(seen), submissionKey }}
        button="Send answer"
        pendingText="Sending…"
      >
        <TextArea
          label="Your answer"
          description={
            email === null
              ? "The customer reads it in the account, with your first name, and gets a mail that it is there"
              : `Goes by mail to ${email}, after a greeting and before your first name`
          }
          rows={8}
          data-key="a"
          {...form.field("text")}
        />
      </PlainForm>
    </Panel>
  );
}
