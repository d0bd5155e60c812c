import type { SubmissionResult } from "@conform-to/react";
import { Input, Stack } from "@mantine/core";
import { Form } from "react-router";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { slipExtensions, slipMediaTypes } from "#core/deposit.ts";
import { terms } from "#core/terms.ts";
import type { DocumentPurpose } from "#core/verification.ts";
import styles from "./verification.module.css";

const accept = [...slipMediaTypes, ...slipExtensions].join(",");

const hints: Record<DocumentPurpose, string> = {
  "identity-front":
    "All four corners, in focus, without glare. Of a passport the page with your photo.",
  "identity-back": "All four corners, in focus, without glare.",
  selfie: "Your face and the document beside it, both readable.",
  "proof-of-address":
    "A bill, a bank statement or a letter of an authority from the last three months, with your name and address. Amounts may be covered.",
};

interface DocumentFormProps {
  purpose: DocumentPurpose;
  label: string;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** One file. It is kept as soon as it is sent, whatever becomes of the rest. */
export function DocumentForm({ purpose, label, lastResult }: DocumentFormProps) {
  const error = lastResult?.error?.["file"]?.[0];
  const id = `file-${purpose}`;
  const errorId = `${id}-error`;
  return (
    <Form method="post" encType="multipart/form-data">
      <Stack gap="md" align="flex-start">
        <FormAlert errors={lastResult?.error?.[""]} />
        <input type="hidden" name="step" value={purpose} />
        <Input.Wrapper
          id={id}
          label={label}
          description={`${hints[purpose]} JPEG, PNG, WebP, HEIC or PDF, up to ${terms.slipMaxBytes / 1024 / 1024} MB.`}
          error={error}
          errorProps={{ id: errorId, role: "alert" }}
          inputWrapperOrder={["label", "description", "input", "error"]}
        >
          <input
            id={id}
            type="file"
            name="file"
            accept={accept}
            className={styles.file}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-description${error ? ` ${errorId}` : ""}`}
          />
        </Input.Wrapper>
        <SubmitButton pendingText="Uploading…">Upload and go on</SubmitButton>
      </Stack>
    </Form>
  );
}
