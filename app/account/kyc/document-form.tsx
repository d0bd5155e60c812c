import { Form } from "react-router";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { FileField, pictureTypes, pictureWords } from "#app/ui/controls/file-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import type { DocumentPurpose } from "#core/people/kyc.ts";
import { terms } from "#core/terms.ts";

const hints: Record<DocumentPurpose, string> = {
  "identity-front":
    "All four corners, in focus, without glare. For a passport: the page with your photo.",
  "identity-back": "All four corners, in focus, without glare.",
  selfie: "Your face next to the document, both clear.",
  "proof-of-address":
    "A bill, a bank statement or a letter from an authority of the last three months, with your name and address. You may cover amounts.",
};

interface DocumentFormProps {
  purpose: DocumentPurpose;
  label: string;
  lastResult: FormReply | undefined;
}

/** One file. It is kept as soon as it is sent, whatever becomes of the rest. */
export function DocumentForm({ purpose, label, lastResult }: DocumentFormProps) {
  const error = lastResult?.error?.["file"]?.[0];
  return (
    <Form method="post" encType="multipart/form-data">
      <FieldStack start>
        <FormAlert errors={lastResult?.error?.[""]} />
        <input type="hidden" name="step" value={purpose} />
        <FileField
          id={`file-${purpose}`}
          name="file"
          label={label}
          description={`${hints[purpose]} ${pictureWords}, up to ${terms.slipMaxBytes / 1024 / 1024} MB.`}
          error={error}
          accept={pictureTypes}
        />
        <SubmitButton pendingText="Uploading…">Upload and continue</SubmitButton>
      </FieldStack>
    </Form>
  );
}
