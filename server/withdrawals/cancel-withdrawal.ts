import { toDecimal } from "#core/money.ts";
import { cancellableStates } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db, Tx } from "../platform/database.ts";
import { giveBack, type Withdrawal } from "./give-back.ts";
import { lockWithdrawal } from "./lock-withdrawal.ts";
import { withdrawals } from "./schema.ts";

/**
 * Takes a withdrawal back while it is in no batch: what was held for it is available again. Doing it twice is doing it once.
 *
 * @throws Refusal `withdrawals/not-found`, `withdrawals/too-late`
 */
export async function cancelWithdrawal(
  db: Db,
  cancelled: { customerId: string; withdrawalId: string; browser: Browser },
  now: Date,
): Promise<void> {
  const { customerId, withdrawalId, browser } = cancelled;
  await db.transaction(async (tx) => {
    const whose = eq(withdrawals.customerId, customerId);
    const withdrawal = await lockWithdrawal(tx, withdrawalId, whose);
    await cancelLocked(tx, withdrawal, { endedBy: "customer", browser }, now);
  });
}

/** The same for a withdrawal that the caller has locked. */
export async function cancelLocked(
  tx: Tx,
  withdrawal: Withdrawal,
  { endedBy, browser }: { endedBy: "customer" | "mail-link"; browser: Browser },
  now: Date,
): Promise<void> {
  const { state, customerId, asset, units, address } = withdrawal;
  if (state === "cancelled") return;
  if (!cancellableStates.includes(state)) throw new Refusal("withdrawals/too-late");
  await giveBack(tx, withdrawal, { state: "cancelled", endedBy }, now);
  await recordAccountEvent(tx, {
    userId: customerId,
    event: "withdrawal-cancelled",
    by: "self" as const,
    now,
    detail: { amount: `${toDecimal(units, asset)} ${asset}`, address },
    ...browser,
  });
}
