import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Stack, TextInput } from "@mantine/core";
import { Form } from "react-router";
import { FormAlert, field, SubmitButton } from "#app/ui/form-fields.tsx";
import { parseForm } from "#app/ui/parse-form.ts";
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
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: detailsSchema }),
  });
  const plain = { withAsterisk: false };
  return (
    <Form method="post" {...getFormProps(form)}>
      <Stack gap="md">
        <FormAlert errors={form.errors} id={form.errorId} />
        <input type="hidden" name="step" value="personal-details" />
        <TextInput
          label="Legal name"
          description="All names, as they stand on your document"
          autoComplete="name"
          {...plain}
          {...field(fields.legalName)}
        />
        <TextInput
          label="Date of birth"
          description={`You must be ${terms.minimumAge} or older`}
          autoComplete="bday"
          classNames={{ wrapper: styles.date }}
          {...plain}
          {...field(fields.dateOfBirth, "date")}
        />
        <TextInput
          label="Street and number"
          autoComplete="address-line1"
          {...plain}
          {...field(fields.addressLine)}
        />
        <TextInput
          label="Flat, floor or building, if any"
          autoComplete="address-line2"
          {...plain}
          {...field(fields.addressLine2)}
        />
        <div className={styles.pair}>
          <TextInput
            label="Postal code, if any"
            autoComplete="postal-code"
            {...plain}
            {...field(fields.postalCode)}
          />
          <TextInput
            label="City"
            autoComplete="address-level2"
            {...plain}
            {...field(fields.city)}
          />
        </div>
        <TextInput
          label="Region or state, if any"
          autoComplete="address-level1"
          {...plain}
          {...field(fields.region)}
        />
        <div>
          <SubmitButton pendingText="Saving…">Save and go on</SubmitButton>
        </div>
      </Stack>
    </Form>
  );
}
