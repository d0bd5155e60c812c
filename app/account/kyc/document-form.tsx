import { Form } from "react-router";
import { describedBy, Field } from "#app/ui/controls/field.tsx";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { slipExtensions, slipMediaTypes } from "#core/payments/deposit.ts";
import type { DocumentPurpose } from "#core/people/kyc.ts";
import { terms } from "#core/terms.ts";
import styles from "./kyc.module.css";

const accept = [...slipMediaTypes, ...slipExtensions].join(",");

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
  const id = `file-${purpose}`;
  const description = `${hints[purpose]} JPEG, PNG, WebP, HEIC or PDF, up to ${terms.slipMaxBytes / 1024 / 1024} MB.`;
  return (
    <Form method="post" encType="multipart/form-data">
      <FieldStack start>
        <FormAlert errors={lastResult?.error?.[""]} />
        <input type="hidden" name="step" value={purpose} />
        <Field id={id} label={label} description={description} error={error} errorRole="alert">
          <input
            id={id}
            type="file"
            name="file"
            accept={accept}
            className={styles.file}
            {...describedBy(id, { description, error })}
          />
        </Field>
        <SubmitButton pendingText="Uploading…">Upload and continue</SubmitButton>
      </FieldStack>
    </Form>
  );
}
