import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "react-router";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { checkTyped, field } from "#app/ui/forms/form-fields.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { terms } from "#core/terms.ts";
import { detailsSchema } from "./schemas.ts";
import styles from "./verification.module.css";

interface DetailsFormProps {
  saved: Record<
    "legalName" | "dateOfBirth" | "addressLine" | "addressLine2" | "postalCode" | "city" | "region",
    string | null
  > | null;
  lastResult: SubmissionResult<string[]> | undefined;
}

/** Legal name, date of birth and address. */
export function DetailsForm({ saved, lastResult }: DetailsFormProps) {
  const [form, fields] = useForm({
    id: "details",
    lastResult,
    defaultValue: saved ?? {},
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: detailsSchema }),
  });
  return (
    <Form method="post" {...getFormProps(form)} {...checkTyped(form)}>
      <FieldStack>
        <FormAlert errors={form.errors} id={form.errorId} />
        <input type="hidden" name="step" value="personal-details" />
        <TextField
          label="Legal name"
          description="All names, as on your document"
          autoComplete="name"
          {...field(fields.legalName)}
        />
        <TextField
          label="Date of birth"
          description={`You must be ${terms.minimumAge} or older`}
          autoComplete="bday"
          narrow
          {...field(fields.dateOfBirth, "date")}
        />
        <TextField
          label="Street and number"
          autoComplete="address-line1"
          {...field(fields.addressLine)}
        />
        <TextField
          label="Flat, floor or building, if any"
          autoComplete="address-line2"
          {...field(fields.addressLine2)}
        />
        <div className={styles.pair}>
          <TextField
            label="Postal code, if any"
            autoComplete="postal-code"
            {...field(fields.postalCode)}
          />
          <TextField label="City" autoComplete="address-level2" {...field(fields.city)} />
        </div>
        <TextField
          label="Region or state, if any"
          autoComplete="address-level1"
          {...field(fields.region)}
        />
        <div>
          <SubmitButton pendingText="Saving…">Save and continue</SubmitButton>
        </div>
      </FieldStack>
    </Form>
  );
}
