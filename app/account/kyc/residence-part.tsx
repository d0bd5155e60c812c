import { Form } from "react-router";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";

interface ResidencePartProps {
  countries: Array<{ value: string; label: string }>;
  /** The code that was stated before. */
  stated?: string | undefined;
  /** The page of the account that asked for it, to go back to. */
  next?: string | null;
  lastResult?: FormReply | undefined;
}

/** Asks where a customer lives. Pages that need to know put it in front of what they offer. */
export function ResidencePart({ countries, stated, next, lastResult }: ResidencePartProps) {
  const form = useForm({
    id: "residence",
    lastResult,
    defaultValue: { country: stated ?? "" },
    rules: async () => (await import("./schemas.ts")).residenceSchema,
  });
  const query = next ? `?next=${encodeURIComponent(next)}` : "";
  return (
    <Form method="post" action={`/account/verification${query}`} {...form.props}>
      <FieldStack start>
        <FormAlert errors={form.errors} />
        <input type="hidden" name="step" value="residence" />
        <SelectField
          label="Country you live in"
          description="Where you are resident, not where you are travelling. The service is not available to residents of the United States and its territories."
          choices={[{ value: "", label: "Choose a country" }, ...countries]}
          autoComplete="country"
          {...form.field("country")}
        />
        <SubmitButton pendingText="Saving…">Save</SubmitButton>
      </FieldStack>
    </Form>
  );
}
