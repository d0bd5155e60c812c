import { data } from "react-router";
import { errorsOf, runAct } from "#app/run-act.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import type { App } from "#server/app-context.ts";
import { changeStaff } from "#server/identity/staff/change-staff.ts";
import {
  confirmStaffChange,
  declineStaffChange,
} from "#server/identity/staff/decide-staff-change.ts";
import { listStaff, type StaffMember } from "#server/identity/staff/list-staff.ts";
import {
  listOpenStaffChanges,
  listPastStaffChanges,
} from "#server/identity/staff/list-staff-changes.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { listKeys } from "../console-keys.ts";
import { ApprovalNote } from "../parts/approval-note.tsx";
import { ConsoleTable } from "../parts/console-table.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/list";
import { PermissionTable } from "./permission-table.tsx";
import styles from "./staff.module.css";
import { StaffInviteForm } from "./staff-invite-form.tsx";
import { StaffProposals } from "./staff-proposals.tsx";
import { invitationSchema } from "./staff-schema.ts";
import { staffTones } from "./staff-tones.ts";

export const middleware = guard("staff/read", {
  invite: "identity/invite-operator",
  confirm: "identity/confirm-staff-change",
  decline: "identity/decline-staff-change",
  withdraw: "identity/withdraw-staff-change",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Staff");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const at = now();
  const [staff, waiting, past] = await Promise.all([
    listStaff(db),
    listOpenStaffChanges(db, at),
    listPastStaffChanges(db, at),
  ]);
  return { staff, waiting, past, operatorId: operator.id };
}

/** What the page says after a form came in. */
interface Answer {
  result?: FormReply;
  problem?: string | undefined;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  return form.get("intent") === "invite"
    ? invite(app, operator, form)
    : decide(app, operator, form);
}

async function invite(app: App, operator: Operator, form: FormData) {
  const submission = parseForm(form, { schema: invitationSchema });
  if (submission.status !== "success") return data<Answer>({ result: submission.reply() }, 400);
  return runAct(
    async () => {
      const change = { kind: "invite", ...submission.value } as const;
      const circumstances = { site: app.config, now: app.now() };
      const done = await changeStaff(app.db, operator, change, circumstances);
      return { to: "/operator/staff", say: done === "done" ? "staff-invited" : "staff-proposed" };
    },
    (said): Answer => ({ result: submission.reply(errorsOf(said, form)) }),
    sayRefusal,
  );
}

async function decide(app: App, operator: Operator, form: FormData) {
  const changeId = String(form.get("changeId"));
  return runAct(
    async () => {
      const to = "/operator/staff";
      if (!isUuid(changeId)) throw new Refusal("identity/no-such-proposal");
      const decision = { changeId, site: app.config, now: app.now() };
      if (form.get("intent") === "confirm") {
        await confirmStaffChange(app.db, operator, decision);
        return { to, say: "staff-confirmed" };
      }
      return { to, say: `staff-${await declineStaffChange(app.db, operator, decision)}` };
    },
    ({ text: problem }): Answer => ({ problem }),
    sayRefusal,
  );
}

export default function StaffPage({ loaderData, actionData }: Route.ComponentProps) {
  const { staff, waiting, past, operatorId } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Staff"
        description="With two owners or more, one proposes a change of staff and another one confirms it."
      />
      <div className={layout.main}>
        <div className={layout.stack}>
          {actionData?.problem ? (
            <Notice tone="warning" role="alert" title="Not done">
              {actionData.problem}
            </Notice>
          ) : null}
          <StaffProposals waiting={waiting} past={[]} operatorId={operatorId} />
          <StaffTable staff={staff} />
          <StaffProposals waiting={[]} past={past} operatorId={operatorId} />
        </div>
        {may("identity/invite-operator") ? (
          <Panel title="Invite a colleague">
            <StaffInviteForm lastResult={actionData?.result} />
            <ApprovalNote />
          </Panel>
        ) : null}
        <div className={styles.wide}>
          <PermissionTable />
        </div>
      </div>
    </>
  );
}

function StaffTable({ staff }: { staff: StaffMember[] }) {
  return (
    <ConsoleTable
      label="Staff"
      rows={staff}
      columns={[
        {
          head: "Name",
          value: "name",
          to: ({ id }) => `/operator/staff/${id}`,
          second: ({ email }) => email,
        },
        { head: "Role", value: "role" },
        {
          head: "State",
          cell: ({ state }) => <StatusBadge status={state} tone={staffTones[state]} />,
        },
        { head: "Since", value: "createdAt" },
        { head: "Signed in", value: "signedInAt" },
      ]}
    />
  );
}
