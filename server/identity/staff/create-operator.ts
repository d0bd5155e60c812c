import { randomUUIDv7 } from "node:crypto";
import type { OperatorRole } from "#core/permissions.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { actAsSystem } from "../audit/act-as-operator.ts";
import { insertUser } from "../registration/insert-user.ts";
import { issueLink } from "../registration/issue-link.ts";
import { operators, users } from "../schema.ts";

export interface Invitation {
  email: string;
  firstName: string;
  lastName: string;
  role: OperatorRole;
  appUrl: string;
  now: Date;
}

/**
 * Makes somebody an operator and returns the one-time link with which that person sets a password.
 * An operator who exists already gets a fresh link, and the older one ends. Only who holds the machine can
 * run it; the audit log says that it was run.
 *
 * @throws Refusal `identity/email-belongs-to-customer` or `identity/operator-suspended`
 */
export async function createOperator(
  db: Db,
  invitation: Invitation,
): Promise<{ operatorId: string; isNew: boolean; url: string; expiresAt: Date }> {
  const { now, role, appUrl } = invitation;
  const email = invitation.email.toLowerCase();
  const existing = await findUser(db, email);
  if (existing?.kind === "customer") throw new Refusal("identity/email-belongs-to-customer");
  if (existing?.state === "suspended") throw new Refusal("identity/operator-suspended");
  const id = existing?.id ?? randomUUIDv7();
  const act = { act: "identity/invite-operator", subject: `operator:${id}`, detail: { role }, now };
  const link = await actAsSystem(db, act, async (tx, auditId) => {
    if (!existing) {
      const free = await insertUser(tx, {
        ...invitation,
        id,
        kind: "operator",
        passwordHash: null,
      });
      if (!free) throw new Refusal("identity/email-taken");
      await tx.insert(operators).values({ id, role, createdAt: now, createdByAct: auditId });
    }
    return issueLink(tx, { userId: id, email, purpose: "operator-invitation", appUrl, now });
  });
  return { operatorId: id, isNew: !existing, ...link };
}

async function findUser(db: Db, email: string) {
  const [user] = await db
    .select({ id: users.id, kind: users.kind, state: operators.state })
    .from(users)
    .leftJoin(operators, eq(operators.id, users.id))
    .where(eq(users.email, email));
  return user;
}
