import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { useForm } from "#app/ui/forms/use-form.ts";
import { operatorRoles, roleWords } from "#core/permissions.ts";
import { PlainForm } from "../parts/act-form.tsx";

/** Where an owner lets somebody in. */
export function StaffInviteForm({ lastResult }: { lastResult: FormReply | undefined }) {
  const form = useForm({
    id: "invitation",
    lastResult,
    checksOnLeave: true,
    rules: async () => (await import("./staff-schema.ts")).invitationSchema,
  });
  return (
    <PlainForm intent="invite" form={form} button="Invite" pendingText="Inviting…">
      <TextField
        label="E-mail"
        description="The link to set a password goes there; it works once, for 24 hours"
        autoComplete="off"
        type="email"
        {...form.field("email")}
      />
      <TextField label="First name" autoComplete="off" {...form.field("firstName")} />
      <TextField label="Last name" autoComplete="off" {...form.field("lastName")} />
      <SelectField
        label="Role"
        choices={[{ value: "", label: "Choose a role" }, ...roleChoices]}
        {...form.field("role")}
      />
    </PlainForm>
  );
}

export const roleChoices = operatorRoles.map((role) => ({
  value: role as string,
  label: `${role}: ${roleWords[role]}`,
}));
