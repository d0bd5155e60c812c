import { Form } from "react-router";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import { terms } from "#core/terms.ts";
import styles from "./kyc.module.css";

interface DetailsFormProps {
  saved: Record<
    "legalName" | "dateOfBirth" | "addressLine" | "addressLine2" | "postalCode" | "city" | "region",
    string | null
  > | null;
  lastResult: FormReply | undefined;
}

/** Legal name, date of birth and address. */
export function DetailsForm({ saved, lastResult }: DetailsFormProps) {
  const form = useForm({
    id: "details",
    lastResult,
    defaultValue: saved ?? {},
    checksOnLeave: true,
    rules: async () => (await import("./schemas.ts")).detailsSchema,
  });
  return (
    <Form method="post" {...form.props}>
      <FieldStack>
        <FormAlert errors={form.errors} />
        <input type="hidden" name="step" value="personal-details" />
        <TextField
          label="Legal name"
          description="All names, as on your document"
          autoComplete="name"
          {...form.field("legalName")}
        />
        <TextField
          label="Date of birth"
          description={`You must be ${terms.minimumAge} or older`}
          autoComplete="bday"
          narrow
          type="date"
          {...form.field("dateOfBirth")}
        />
        <TextField
          label="Street and number"
          autoComplete="address-line1"
          {...form.field("addressLine")}
        />
        <TextField
          label="Flat, floor or building, if any"
          autoComplete="address-line2"
          {...form.field("addressLine2")}
        />
        <div className={styles.pair}>
          <TextField
            label="Postal code, if any"
            autoComplete="postal-code"
            {...form.field("postalCode")}
          />
          <TextField label="City" autoComplete="address-level2" {...form.field("city")} />
        </div>
        <TextField
          label="Region or state, if any"
          autoComplete="address-level1"
          {...form.field("region")}
        />
        <div>
          <SubmitButton pendingText="Saving…">Save and continue</SubmitButton>
        </div>
      </FieldStack>
    </Form>
  );
}
