import { Form } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import type { FormReply } from "#app/ui/forms/parse-form.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useForm } from "#app/ui/forms/use-form.ts";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import type { OperatorRole } from "#core/permissions.ts";
import { PlainForm } from "../parts/act-form.tsx";
import styles from "./staff.module.css";
import { roleChoices } from "./staff-invite-form.tsx";

interface ChangeProps {
  lastResult: FormReply | undefined;
}

/** Gives somebody another role. */
export function RoleForm({ role, lastResult }: ChangeProps & { role: OperatorRole }) {
  const form = useForm({
    id: "role",
    lastResult,
    defaultValue: { role },
    rules: async () => (await import("./staff-schema.ts")).roleSchema,
  });
  return (
    <Panel title="Change the role">
      <PlainForm
        intent="change-role"
        form={form}
        button="Change the role"
        pendingText="Saving…"
        tone="plain"
      >
        <SelectField label="Role" choices={roleChoices} {...form.field("role")} />
        <TextArea label="Why" rows={2} {...form.field("reason")} />
      </PlainForm>
    </Panel>
  );
}

/** Suspends somebody, or lets them back in. */
export function StateForm({ suspended, lastResult }: ChangeProps & { suspended: boolean }) {
  const form = useForm({
    id: "state",
    lastResult,
    rules: async () => (await import("./staff-schema.ts")).reasonSchema,
  });
  return (
    <Panel title={suspended ? "Reinstate" : "Suspend"}>
      <p className={styles.note}>
        {suspended
          ? "Lets this person sign in again, with the same role and password."
          : "Signs this person out everywhere at once, and blocks sign-in until an owner reinstates them."}
      </p>
      <Form method="post" preventScrollReset className={layout.form} {...form.props}>
        <FormAlert errors={form.errors} />
        <TextArea label="Why" rows={2} {...form.field("reason")} />
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
