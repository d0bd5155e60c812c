import { writeThs } from "#core/mining/hashrate.ts";
import { toDecimal } from "#core/money.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { findSent } from "./find-sent.ts";
import { insertPayout, mustWait } from "./insert-payout.ts";
import { lockPool } from "./lock-pool.ts";
import type { DayOfPool } from "./payout.ts";
import { refusals } from "./refusals.ts";

/**
 * Enters by hand what a pool paid for a day, with the transaction that paid it, if it paid anything. Recorded at once, or waiting for
 * coins or a second person (`mustWait`). The same id again is the same payout, however often the form arrives; with other figures it is
 * refused.
 *
 * @throws Refusal `payouts/entered-otherwise`, `payouts/already-there` and the others of `refusals.ts`, and as `actAsOperator` does
 */
export function enterPayout(
  db: Db,
  operator: ActingOperator,
  wanted: DayOfPool & { payoutId: string; poolId: string; txid: string | null },
  now: Date,
): Promise<{ state: "recorded" | "proposed" | "refused" }> {
  const { payoutId, poolId, day, units, deliveredGhs, txid } = wanted;
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockPool(tx, poolId);
      const said = { poolId, day, units, deliveredGhs, txid };
      const done = await findSent(tx, payoutId, said, "payouts/entered-otherwise");
      if (done) return done;
      const payout = { ...wanted, statementId: null, by: operator.id };
      const alone = !(await mustWait(tx, payout));
      const act = {
        act: "payouts/enter" as const,
        subject: `payout:${payoutId}`,
        detail: {
          poolId,
          day,
          btc: toDecimal(units, "BTC"),
          deliveredThs: writeThs(deliveredGhs),
          txid,
          alone,
        },
        now,
      };
      return actAsOperator(tx, operator, act, (inner, actionId) =>
        insertPayout(inner, { ...payout, actionId }, now),
      );
    }),
  );
}
