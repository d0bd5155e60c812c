import { toDecimal } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { lockPayout } from "./lock-payout.ts";
import { refusals } from "./refusals.ts";
import { poolPayouts } from "./schema.ts";

/**
 * Refuses a payout that waits, with a reason. Its day waits for another one. Refusing what is refused changes nothing.
 *
 * @throws Refusal `payouts/no-such-payout`, `payouts/already-decided` (recorded), `payouts/reason-missing`, and as
 *   `actAsOperator` does
 */
export function refusePayout(
  db: Db,
  operator: ActingOperator,
  { payoutId, reason }: { payoutId: string; reason: string },
  now: Date,
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const payout = await lockPayout(tx, payoutId);
      if (payout.state === "refused") return;
      if (payout.state === "recorded") throw new Refusal("payouts/already-decided");
      const refusalReason = reason.trim();
      const act = {
        act: "payouts/refuse" as const,
        subject: `payout:${payoutId}`,
        detail: { day: payout.day, btc: toDecimal(payout.units, "BTC"), reason: refusalReason },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, decisionActionId) =>
        inner
          .update(poolPayouts)
          .set({ state: "refused", decidedAt: now, decisionActionId, refusalReason })
          .where(eq(poolPayouts.id, payoutId)),
      );
    }),
  );
}
