import { data, Form, Link } from "react-router";
import { errorsOf, runAct } from "#app/run-act.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { roleWords } from "#core/permissions.ts";
import { z } from "#core/zod.ts";
import type { App } from "#server/app-context.ts";
import { changeStaff } from "#server/identity/staff/change-staff.ts";
import { findStaffMember, listStaff, type StaffMember } from "#server/identity/staff/list-staff.ts";
import { listOpenStaffChanges } from "#server/identity/staff/list-staff-changes.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { renewInvitation } from "#server/identity/staff/renew-invitation.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/case";
import styles from "./staff.module.css";
import { RoleForm, StateForm } from "./staff-change-form.tsx";
import { reasonSchema, roleSchema } from "./staff-schema.ts";
import { staffTones } from "./staff-tones.ts";

export const middleware = guard("staff/read", {
  "change-role": "identity/change-role",
  suspend: "identity/suspend-operator",
  reinstate: "identity/reinstate-operator",
  renew: "identity/renew-invitation",
});
export const shouldRevalidate = readAfterConflict;
export const handle = { keys: [] };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const name = loaderData?.member.name ?? "Staff";
  return [{ title: `${name} · Staff · ${matches[0].loaderData.siteName}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, app, operator } = consoleOf(context);
  const member = await getMember(app, params.operatorId);
  const [waiting, staff] = await Promise.all([listOpenStaffChanges(db, now()), listStaff(db)]);
  const owners = staff.filter(isOwner);
  const isOneOfTwo = isOwner(member) && owners.length === 2;
  return {
    member,
    isInProposal: waiting.some(({ operatorId }) => operatorId === member.id),
    isLastOwner: isOwner(member) && owners.length === 1,
    isOnlyOtherOwner: isOneOfTwo && member.id !== operator.id,
  };
}

/** An owner who can act. */
function isOwner({ role, state }: StaffMember): boolean {
  return role === "owner" && state === "active";
}

/** What the page says after a form came in. */
interface Answer {
  form?: "role" | "state";
  result?: FormReply;
  problem?: string;
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const { id: operatorId } = await getMember(app, params.operatorId);
  const form = await request.formData();
  if (form.get("intent") === "renew") return renew(app, operator, operatorId);
  const isRole = form.get("intent") === "change-role";
  const answer = (result: FormReply): Answer => ({
    form: isRole ? "role" : "state",
    result,
  });
  const submission = isRole ? parseRole(form, operatorId) : parseState(form, operatorId);
  if (submission.status !== "success") return data(answer(submission.reply()), 400);
  return runAct(
    async () => {
      const circumstances = { site: app.config, now: app.now() };
      const done = await changeStaff(app.db, operator, submission.value, circumstances);
      return done === "done"
        ? { to: `/operator/staff/${operatorId}`, say: "staff-changed" }
        : { to: "/operator/staff", say: "staff-proposed" };
    },
    (said) => answer(submission.reply(errorsOf(said, form))),
    sayRefusal,
  );
}

function parseRole(form: FormData, operatorId: string) {
  const kind = "change-role" as const;
  const schema = z.pipe(
    roleSchema,
    z.transform((typed) => ({ kind, operatorId, ...typed })),
  );
  return parseForm(form, { schema });
}

function parseState(form: FormData, operatorId: string) {
  const kind = form.get("intent") === "suspend" ? ("suspend" as const) : ("reinstate" as const);
  const schema = z.pipe(
    reasonSchema,
    z.transform((typed) => ({ kind, operatorId, ...typed })),
  );
  return parseForm(form, { schema });
}

async function renew(app: App, operator: Operator, operatorId: string) {
  return runAct(
    async () => {
      await renewInvitation(app.db, operator, { operatorId, site: app.config, now: app.now() });
      return { to: `/operator/staff/${operatorId}`, say: "invitation-renewed" };
    },
    ({ text: problem }): Answer => ({ problem }),
    sayRefusal,
  );
}

async function getMember({ db }: App, id: string) {
  const member = found(isUuid(id) ? await findStaffMember(db, id) : null);
  return member;
}

export default function StaffMemberPage({ loaderData, actionData }: Route.ComponentProps) {
  const { member, isInProposal, isLastOwner, isOnlyOtherOwner } = loaderData;
  const may = useMay();
  const resultOf = (form: Answer["form"]) =>
    actionData?.form === form ? actionData?.result : undefined;
  // What came from a page that was opened before keeps its form, and what was typed there.
  const isOpen = (form: Answer["form"]) =>
    resultOf(form) !== undefined || !(isInProposal || isLastOwner || isOnlyOtherOwner);
  return (
    <>
      <PageHeader title={member.name} description={<Link to="/operator/staff">All staff</Link>} />
      <div className={layout.main}>
        <div className={layout.stack}>
          {actionData?.problem ? (
            <Notice tone="warning" role="alert" title="Not done">
              {actionData.problem}
            </Notice>
          ) : null}
          {isInProposal ? (
            <Notice title="A change waits for a second owner">
              <Link to="/operator/staff">See what is proposed</Link>
            </Notice>
          ) : null}
          <Member member={member} />
        </div>
        <div className={layout.stack}>
          {isLastOwner && may("identity/change-role") ? (
            <Notice title="The last owner who can act">
              Stays one until another person is made an owner.
            </Notice>
          ) : null}
          {isOnlyOtherOwner && may("identity/suspend-operator") ? (
            <Notice title="The only other owner who can act">
              A change would need a second owner to confirm it, and that is the one concerned. With
              a third owner it can be proposed here. Until then whoever holds the machine can
              suspend this one there, without a second owner:{" "}
              <code>npm run operator -- suspend {member.email} &quot;Why&quot;</code>. The audit log
              keeps the command, and all owners get a mail.
            </Notice>
          ) : null}
          {isOpen("role") && may("identity/change-role") && member.state !== "suspended" ? (
            <RoleForm key={member.role} role={member.role} lastResult={resultOf("role")} />
          ) : null}
          {isOpen("state") &&
          may(
            member.state === "suspended"
              ? "identity/reinstate-operator"
              : "identity/suspend-operator",
          ) ? (
            <StateForm
              key={member.state}
              suspended={member.state === "suspended"}
              lastResult={resultOf("state")}
            />
          ) : null}
        </div>
      </div>
    </>
  );
}

function Member({ member }: Pick<Route.ComponentProps["loaderData"], "member">) {
  const may = useMay();
  const { id, email, role, state, createdAt, signedInAt } = member;
  return (
    <Panel title="Who it is" aside={<StatusBadge status={state} tone={staffTones[state]} />}>
      <Facts
        facts={[
          { label: "E-mail", value: email },
          { label: "Role", value: `${role}: ${roleWords[role]}` },
          { label: "Staff since", value: createdAt },
          { label: "Signed in", value: signedInAt },
          may("audit/read") && {
            label: "Acts",
            value: <Link to={`/operator/audit?operator=${id}`}>In the audit log</Link>,
          },
          may("audit/read") && {
            label: "Acts on this person",
            value: <Link to={`/operator/audit?q=operator:${id}`}>In the audit log</Link>,
          },
        ]}
      />
      {state === "invited" && may("identity/renew-invitation") ? (
        <Form method="post" preventScrollReset className={styles.renew}>
          <SubmitButton name="intent" value="renew" look="quiet" pendingText="Sending…">
            Mail a new link
          </SubmitButton>
        </Form>
      ) : null}
    </Panel>
  );
}
