import { toDecimal } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { lockPayout } from "./lock-payout.ts";
import { poolPayouts } from "./schema.ts";

/**
 * Stands as the first of two people for a payout above the limit that the worker read from the pool. Who does so again
 * changes nothing.
 *
 * @throws Refusal `payouts/no-such-payout`, `payouts/already-decided`, `payouts/somebody-stands-for-it`, and as `actAsOperator` does
 */
export function vouchForPayout(
  db: Db,
  operator: ActingOperator,
  payoutId: string,
  now: Date,
): Promise<void> {
  return db.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout.state !== "proposed") throw new Refusal("payouts/already-decided");
    if (payout.proposalActionId) throw new Refusal("payouts/somebody-stands-for-it");
    const act = {
      act: "payouts/vouch" as const,
      subject: `payout:${payoutId}`,
      detail: { day: payout.day, btc: toDecimal(payout.units, "BTC") },
      now,
    };
    await actAsOperator(tx, operator, act, (inner, proposalActionId) =>
      inner.update(poolPayouts).set({ proposalActionId }).where(eq(poolPayouts.id, payoutId)),
    );
  });
}
