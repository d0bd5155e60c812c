import { Form } from "react-router";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import {
  type IdentityKind,
  identityKinds,
  type SecondProof,
  secondProofs,
} from "#core/people/kyc.ts";
import styles from "./kyc.module.css";

interface IdentityKindFormProps {
  kind: IdentityKind | null;
  expiresOn: string | null;
  lastResult: FormReply | undefined;
}

/** Which identity document, and until when it is valid. */
export function IdentityKindForm({ kind, expiresOn, lastResult }: IdentityKindFormProps) {
  const form = useForm({
    id: "identity-kind",
    lastResult,
    defaultValue: { kind: kind ?? "", expiresOn: expiresOn ?? "" },
    rules: async () => (await import("./schemas.ts")).identitySchema,
  });
  const kinds = Object.entries(identityKinds).map(([value, { name }]) => ({ value, label: name }));
  return (
    <Form method="post" {...form.props}>
      <FieldStack start>
        <FormAlert errors={form.errors} />
        <input type="hidden" name="step" value="identity-kind" />
        <SelectField
          label="Document"
          choices={[{ value: "", label: "Choose a document" }, ...kinds]}
          {...form.field("kind")}
        />
        <TextField
          label="Valid until"
          description="Leave it empty if the document has no end"
          className={styles.date}
          type="date"
          {...form.field("expiresOn")}
        />
        <SubmitButton pendingText="Saving…">Save and continue</SubmitButton>
      </FieldStack>
    </Form>
  );
}

interface SecondProofFormProps {
  secondProof: SecondProof | null;
  lastResult: FormReply | undefined;
}

/** What is sent next to the identity document. */
export function SecondProofForm({ secondProof, lastResult }: SecondProofFormProps) {
  const form = useForm({
    id: "second-kind",
    lastResult,
    defaultValue: { secondProof: secondProof ?? "" },
    rules: async () => (await import("./schemas.ts")).secondProofSchema,
  });
  const proofs = Object.entries(secondProofs).map(([value, label]) => ({ value, label }));
  return (
    <Form method="post" {...form.props}>
      <FieldStack start>
        <FormAlert errors={form.errors} />
        <input type="hidden" name="step" value="second-kind" />
        <SelectField
          label="Second proof"
          description="One of the two is enough: that you hold the document, or where you live"
          choices={[{ value: "", label: "Choose one" }, ...proofs]}
          className={styles.wide}
          {...form.field("secondProof")}
        />
        <SubmitButton pendingText="Saving…">Save and continue</SubmitButton>
      </FieldStack>
    </Form>
  );
}
