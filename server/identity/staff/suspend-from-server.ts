import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { actAsSystem } from "../audit/act-as-operator.ts";
import { staffSuspendedMail } from "../mails.ts";
import { operators, users } from "../schema.ts";
import { requirePossible, suspend } from "./carry-out-staff-change.ts";
import { lockStaff } from "./change-staff.ts";

/**
 * Suspends somebody of the staff without a second owner: of two owners, neither can suspend the other one in the console.
 * Only who holds the machine can run it; the audit log says that it was run, and all owners get a mail, the suspended one
 * included. The last owner stays.
 *
 * @throws Refusal `identity/no-such-operator`, `identity/nothing-to-change`, `identity/last-owner`
 */
export async function suspendFromServer(
  db: Db,
  site: Site,
  { email, reason, now }: { email: string; reason: string; now: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockStaff(tx);
    const [person] = await tx
      .select({
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        role: operators.role,
      })
      .from(users)
      .innerJoin(operators, eq(operators.id, users.id))
      .where(eq(users.email, email));
    if (!person) throw new Refusal("identity/no-such-operator");
    await requirePossible(tx, { kind: "suspend", operatorId: person.id, reason });
    const owners = await listOwners(tx);
    const subject = `operator:${person.id}`;
    const act = { act: "identity/suspend-operator", subject, detail: { reason }, now };
    await actAsSystem(tx, act, (inner, auditId) => suspend(inner, person.id, { auditId, now }));
    const name = `${person.firstName} ${person.lastName}`;
    for (const { id, firstName, email: to } of owners) {
      const content = staffSuspendedMail(site, {
        firstName,
        name,
        email,
        role: person.role,
        reason,
      });
      await queueMail(tx, { to, userId: id, now, content });
    }
  });
}

/** As they are before it. */
async function listOwners(tx: Tx) {
  return tx
    .select({ id: users.id, firstName: users.firstName, email: users.email })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.id))
    .where(and(eq(operators.role, "owner"), eq(operators.state, "active")));
}
