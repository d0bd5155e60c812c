import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { select, textarea } from "#app/ui/forms/form-fields.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { OperatorRole } from "#core/permissions.ts";
import styles from "./staff.module.css";
import { roleChoices } from "./staff-invite-form.tsx";
import { reasonSchema, roleSchema } from "./staff-schema.ts";

interface ChangeProps {
  lastResult: SubmissionResult<string[]> | undefined;
}

/** Gives somebody another role. */
export function RoleForm({ role, lastResult }: ChangeProps & { role: OperatorRole }) {
  const [form, fields] = useForm({
    id: "role",
    lastResult,
    defaultValue: { role },
    onValidate: ({ formData }) => parseForm(formData, { schema: roleSchema }),
  });
  return (
    <Panel title="Change the role">
      <Form method="post" preventScrollReset className={styles.form} {...getFormProps(form)}>
        <FormAlert errors={form.errors} id={form.errorId} />
        <SelectField label="Role" choices={roleChoices} {...select(fields.role)} />
        <TextArea label="Why" rows={2} {...textarea(fields.reason)} />
        <div>
          <SubmitButton name="intent" value="change-role" look="quiet" pendingText="Saving…">
            Change the role
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}

/** Suspends somebody, or lets them back in. */
export function StateForm({ suspended, lastResult }: ChangeProps & { suspended: boolean }) {
  const [form, fields] = useForm({
    id: "state",
    lastResult,
    onValidate: ({ formData }) => parseForm(formData, { schema: reasonSchema }),
  });
  return (
    <Panel title={suspended ? "Reinstate" : "Suspend"}>
      <p className={styles.note}>
        {suspended
          ? "Lets this person sign in again, with the same role and password."
          : "Signs this person out everywhere at once, and blocks sign-in until an owner reinstates them."}
      </p>
      <Form method="post" preventScrollReset className={styles.form} {...getFormProps(form)}>
        <FormAlert errors={form.errors} id={form.errorId} />
        <TextArea label="Why" rows={2} {...textarea(fields.reason)} />
        <div>
          {suspended ? (
            <SubmitButton name="intent" value="reinstate" look="quiet" pendingText="Saving…">
              Reinstate
            </SubmitButton>
          ) : (
            <SubmitButton
              name="intent"
              value="suspend"
              look="outline"
              tone="brick"
              pendingText="Saving…"
            >
              Suspend
            </SubmitButton>
          )}
        </div>
      </Form>
    </Panel>
  );
}
