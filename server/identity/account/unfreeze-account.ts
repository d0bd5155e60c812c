import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { unfrozenMail } from "../mails.ts";
import { accountFreezes, users } from "../schema.ts";
import type { ActingOperator } from "../staff/operator.ts";
import { actOnAccount } from "./act-on-account.ts";
import { holdMoney } from "./hold-money.ts";

/**
 * Opens a frozen account again as staff, with a reason that the customer reads. Money stays for a day more. `freezeId`: the freeze that
 * staff looked at; frozen anew since, the account stays frozen.
 *
 * @throws Refusal `identity/no-such-customer`, `identity/not-frozen`, `identity/operator-not-active`
 */
export async function unfreezeAsOperator(
  { db, config }: { db: Db; config: Site },
  operator: ActingOperator,
  lift: { customerId: string; reason: string; freezeId?: string; now: Date },
): Promise<void> {
  const { customerId, reason, freezeId, now } = lift;
  const about = { act: "identity/unfreeze-account", customerId, reason, now } as const;
  await actOnAccount(db, operator, about, (tx, auditId) =>
    unfreeze(tx, config, { userId: customerId, reason, auditId, freezeId, now }),
  );
}

/** @throws Refusal `identity/not-frozen` */
export async function unfreeze(
  tx: Tx,
  site: Site,
  as: { userId: string; reason: string; auditId: string; freezeId?: string | undefined; now: Date },
): Promise<void> {
  const { userId, reason, auditId, now } = as;
  const lifted = await tx
    .update(accountFreezes)
    .set({ liftedAt: now, liftedByAct: auditId, liftReason: reason })
    .where(and(eq(accountFreezes.userId, userId), isNull(accountFreezes.liftedAt)))
    .returning({ id: accountFreezes.id });
  const [freeze] = lifted;
  if (!freeze || freeze.id !== (as.freezeId ?? freeze.id)) throw new Refusal("identity/not-frozen");
  await holdMoney(tx, userId, "account-unfrozen", now);
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  if (!user) return;
  const content = unfrozenMail(site, {
    firstName: user.firstName,
    isStaff: user.kind === "operator",
    reason,
  });
  await queueMail(tx, { to: user.email, userId, now, content });
}
