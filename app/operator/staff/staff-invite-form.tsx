import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { field, select } from "#app/ui/forms/form-fields.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { operatorRoles, roleWords } from "#core/permissions.ts";
import styles from "./staff.module.css";
import { invitationSchema } from "./staff-schema.ts";

/** Where an owner lets somebody in. */
export function StaffInviteForm({
  lastResult,
}: {
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  const [form, fields] = useForm({
    id: "invitation",
    lastResult,
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    onValidate: ({ formData }) => parseForm(formData, { schema: invitationSchema }),
  });
  return (
    <Form method="post" preventScrollReset className={styles.form} {...getFormProps(form)}>
      <FormAlert errors={form.errors} id={form.errorId} />
      <TextField
        label="E-mail"
        description="The link to set a password goes there; it works once, for 24 hours"
        autoComplete="off"
        {...field(fields.email, "email")}
      />
      <TextField label="First name" autoComplete="off" {...field(fields.firstName)} />
      <TextField label="Last name" autoComplete="off" {...field(fields.lastName)} />
      <SelectField
        label="Role"
        choices={[{ value: "", label: "Choose a role" }, ...roleChoices]}
        {...select(fields.role)}
      />
      <div>
        <SubmitButton name="intent" value="invite" pendingText="Inviting…">
          Invite
        </SubmitButton>
      </div>
    </Form>
  );
}

export const roleChoices = operatorRoles.map((role) => ({
  value: role as string,
  label: `${role}: ${roleWords[role]}`,
}));
