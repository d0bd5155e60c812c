import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { actAsOperator } from "../audit/act-as-operator.ts";
import { idOf } from "../audit/approval.ts";
import { operatorInvitationMail } from "../mails.ts";
import { insertUser } from "../registration/insert-user.ts";
import { issueLink } from "../registration/issue-link.ts";
import {
  credentials,
  mailedLinks,
  operators,
  pendingMfaSessions,
  sessions,
  staffChanges,
  users,
} from "../schema.ts";
import type { Operator } from "./operator.ts";
import { actOfChange, type StaffChange } from "./staff-change.ts";

/**
 * Says no to a change that cannot be: PostgreSQL refuses the last owner's too (`the_last_owner_stays`).
 *
 * @throws Refusal `identity/email-taken`, `identity/no-such-operator`, `identity/nothing-to-change`, `identity/last-owner`
 */
export async function requirePossible(tx: Tx, change: StaffChange): Promise<void> {
  if (change.kind === "invite") {
    const taken = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(users.email, change.email));
    if (taken.length > 0) throw new Refusal("identity/email-taken");
    return;
  }
  const person = await findForChange(tx, change.operatorId);
  if (!person) throw new Refusal("identity/no-such-operator");
  if (changesNothing(person, change)) throw new Refusal("identity/nothing-to-change");
  const isOwner = person.role === "owner" && person.state === "active";
  if (isOwner && !(await hasOtherOwner(tx, person))) throw new Refusal("identity/last-owner");
}

type Person = NonNullable<Awaited<ReturnType<typeof findForChange>>>;

async function findForChange(tx: Tx, id: string) {
  const [person] = await tx
    .select({
      id: operators.id,
      role: operators.role,
      state: operators.state,
      password: credentials.password,
    })
    .from(operators)
    .leftJoin(credentials, eq(credentials.userId, operators.id))
    .where(eq(operators.id, id));
  return person;
}

function changesNothing(person: Person, change: Exclude<StaffChange, { kind: "invite" }>): boolean {
  if (change.kind === "change-role") return person.role === change.role;
  return person.state === (change.kind === "suspend" ? "suspended" : "active");
}

/** Another owner must remain who can act: one with a password, if this one has a password. */
async function hasOtherOwner(tx: Tx, person: Person): Promise<boolean> {
  const owners = await tx
    .select({ id: operators.id, password: credentials.password })
    .from(operators)
    .leftJoin(credentials, eq(credentials.userId, operators.id))
    .where(and(eq(operators.role, "owner"), eq(operators.state, "active")));
  return owners.some(({ id, password }) => id !== person.id && (password || !person.password));
}

interface Circumstances {
  /** The proposal that is confirmed by it, and who made it. */
  confirms: { id: string; proposedBy: string } | null;
  site: Site;
  now: Date;
}

/** Does it, as an act of this operator. */
export async function carryOutStaffChange(
  tx: Tx,
  operator: Operator,
  change: StaffChange,
  circumstances: Circumstances,
): Promise<void> {
  const { confirms, now } = circumstances;
  const id = change.kind === "invite" ? idOfInvited(operator, confirms) : change.operatorId;
  const act = {
    act: actOfChange[change.kind],
    subject: `operator:${id}`,
    detail: {
      email: change.kind === "invite" ? change.email : null,
      role: "role" in change ? change.role : null,
      reason: "reason" in change ? change.reason : null,
      proposal: confirms?.id ?? null,
      proposedBy: confirms?.proposedBy ?? null,
    },
    now,
  };
  await actAsOperator(tx, operator, act, async (inner, auditId) => {
    if (confirms) {
      await inner
        .update(staffChanges)
        .set({ state: "confirmed", decidedBy: operator.id, decidedByAct: auditId, decidedAt: now })
        .where(eq(staffChanges.id, confirms.id));
    }
    if (change.kind === "invite") {
      await invite(inner, operator, { ...change, id, auditId }, circumstances);
      return;
    }
    if (change.kind === "suspend") {
      await suspend(inner, id, { auditId, now });
      return;
    }
    const changed =
      change.kind === "change-role" ? { role: change.role } : { state: "active" as const };
    await inner
      .update(operators)
      .set({ ...changed, changedByAct: auditId })
      .where(eq(operators.id, id));
  });
}

/** The same each time that this form comes: what is signed names it. */
function idOfInvited({ approval }: Operator, confirms: Circumstances["confirms"]): string {
  return confirms?.id ?? (approval ? idOf(approval) : randomUUIDv7());
}

async function invite(
  tx: Tx,
  operator: Operator,
  invited: Extract<StaffChange, { kind: "invite" }> & { id: string; auditId: string },
  { site, now }: Circumstances,
): Promise<void> {
  const { id, email, firstName, lastName, role, auditId } = invited;
  const user = { id, email, firstName, lastName, now };
  const isFree = await insertUser(tx, { ...user, kind: "operator", passwordHash: null });
  if (!isFree) throw new Refusal("identity/email-taken");
  await tx.insert(operators).values({ id, role, createdAt: now, createdByAct: auditId });
  await mailInvitation(tx, { operator, invited, site, now });
}

/** Mails the link with which somebody new sets a password; an older one ends. */
export async function mailInvitation(
  tx: Tx,
  mail: {
    operator: Pick<Operator, "firstName" | "lastName">;
    invited: Pick<Operator, "id" | "email" | "firstName" | "role">;
    site: Site;
    now: Date;
  },
): Promise<void> {
  const { operator, invited, site, now } = mail;
  const { id, email, firstName, role } = invited;
  const link = { userId: id, email, purpose: "operator-invitation", appUrl: site.appUrl } as const;
  const { url } = await issueLink(tx, { ...link, now });
  const invitedBy = `${operator.firstName} ${operator.lastName}`;
  const content = operatorInvitationMail(site, { firstName, role, invitedBy, url });
  await queueMail(tx, { to: email, userId: id, now, content });
}

/** Suspends and shuts out, as part of the act that says so. */
export async function suspend(
  tx: Tx,
  userId: string,
  { auditId, now }: { auditId: string; now: Date },
): Promise<void> {
  await tx
    .update(operators)
    .set({ state: "suspended", changedByAct: auditId })
    .where(eq(operators.id, userId));
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await tx.delete(pendingMfaSessions).where(eq(pendingMfaSessions.userId, userId));
  await tx
    .update(mailedLinks)
    .set({ revokedAt: now })
    .where(
      and(
        eq(mailedLinks.userId, userId),
        isNull(mailedLinks.usedAt),
        isNull(mailedLinks.revokedAt),
      ),
    );
}
