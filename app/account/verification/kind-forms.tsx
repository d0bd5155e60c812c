import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "react-router";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { field, select } from "#app/ui/forms/form-fields.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import {
  type IdentityKind,
  identityKinds,
  type SecondProof,
  secondProofs,
} from "#core/people/verification.ts";
import { identitySchema, secondProofSchema } from "./schemas.ts";
import styles from "./verification.module.css";

interface IdentityKindFormProps {
  kind: IdentityKind | null;
  expiresOn: string | null;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** Which identity document, and until when it is valid. */
export function IdentityKindForm({ kind, expiresOn, lastResult }: IdentityKindFormProps) {
  const [form, fields] = useForm({
    id: "identity-kind",
    lastResult,
    defaultValue: { kind: kind ?? "", expiresOn: expiresOn ?? "" },
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: identitySchema }),
  });
  const kinds = Object.entries(identityKinds).map(([value, { name }]) => ({ value, label: name }));
  return (
    <Form method="post" {...getFormProps(form)}>
      <FieldStack start>
        <FormAlert errors={form.errors} id={form.errorId} />
        <input type="hidden" name="step" value="identity-kind" />
        <SelectField
          label="Document"
          choices={[{ value: "", label: "Choose a document" }, ...kinds]}
          {...select(fields.kind)}
        />
        <TextField
          label="Valid until"
          description="Leave it empty if the document has no end"
          className={styles.date}
          {...field(fields.expiresOn, "date")}
        />
        <SubmitButton pendingText="Saving…">Save and continue</SubmitButton>
      </FieldStack>
    </Form>
  );
}

interface SecondProofFormProps {
  secondProof: SecondProof | null;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** What is sent beside the identity document. */
export function SecondProofForm({ secondProof, lastResult }: SecondProofFormProps) {
  const [form, fields] = useForm({
    id: "second-kind",
    lastResult,
    defaultValue: { secondProof: secondProof ?? "" },
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: secondProofSchema }),
  });
  const proofs = Object.entries(secondProofs).map(([value, label]) => ({ value, label }));
  return (
    <Form method="post" {...getFormProps(form)}>
      <FieldStack start>
        <FormAlert errors={form.errors} id={form.errorId} />
        <input type="hidden" name="step" value="second-kind" />
        <SelectField
          label="Second proof"
          description="One of the two is enough: that you hold the document, or where you live"
          choices={[{ value: "", label: "Choose one" }, ...proofs]}
          className={styles.wide}
          {...select(fields.secondProof)}
        />
        <SubmitButton pendingText="Saving…">Save and continue</SubmitButton>
      </FieldStack>
    </Form>
  );
}
