import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { unfreeze } from "../account/unfreeze-account.ts";
import { actAsSystem } from "../audit/act-as-operator.ts";
import { resetMfa } from "../mfa/reset-mfa.ts";
import { users } from "../schema.ts";

export const operatorHelp = ["reset-factors", "unfreeze"] as const;

/**
 * Lets a member of staff in again who has lost the second factor, or whose account was frozen by the link in a mail.
 * Only who holds the machine can run it; the audit log says that it was run.
 *
 * @throws Refusal `identity/no-such-operator`, `identity/no-factors`, `identity/not-frozen`
 */
export async function helpOperator(
  db: Db,
  site: Site,
  help: { kind: (typeof operatorHelp)[number]; email: string; reason: string; now: Date },
): Promise<void> {
  const { kind, email, reason, now } = help;
  const [operator] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), eq(users.kind, "operator")));
  if (!operator) throw new Refusal("identity/no-such-operator");
  const userId = operator.id;
  const act = kind === "unfreeze" ? "identity/unfreeze-account" : ("identity/reset-mfa" as const);
  const written = { act, subject: `operator:${userId}`, detail: { reason }, now } as const;
  await actAsSystem(db, written, (tx, auditId) =>
    kind === "unfreeze"
      ? unfreeze(tx, site, { userId, reason, auditId, now })
      : resetMfa(tx, site, { userId, reason, now }),
  );
}
