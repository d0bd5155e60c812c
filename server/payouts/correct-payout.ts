import { writeThs } from "#core/mining/hashrate.ts";
import { toDecimal } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { findSent } from "./find-sent.ts";
import { lockPayout } from "./lock-payout.ts";
import { refusals } from "./refusals.ts";
import { poolPayouts } from "./schema.ts";

/**
 * Proposes that a recorded payout was another one. Whatever the amount, a second person confirms it; until then nothing
 * changes. The evidence is a transaction, or a statement of the pool that is kept. The same id again is the same proposal;
 * with other figures it is refused.
 *
 * @throws Refusal `payouts/proposed-otherwise`, `payouts/no-such-payout`, `payouts/nothing-to-correct`, `payouts/already-corrected`,
 *   `payouts/receipts-taken-out` and the others of `refusals.ts`, and as `actAsOperator` does
 */
export function correctPayout(
  db: Db,
  operator: ActingOperator,
  correction: {
    payoutId: string;
    corrects: string;
    units: bigint;
    deliveredGhs: bigint;
    txid: string | null;
    statementId: string | null;
    reason: string;
  },
  now: Date,
): Promise<void> {
  const { payoutId: id, corrects, units, deliveredGhs, txid, statementId } = correction;
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const correctionReason = correction.reason.trim();
      const proposal = { corrects, units, deliveredGhs, txid, statementId, correctionReason };
      if (await findSent(tx, id, proposal, "payouts/proposed-otherwise")) return;
      const { poolId, day, ...was } = await lockPayout(tx, corrects);
      if (was.state !== "recorded") throw new Refusal("payouts/not-recorded");
      const isSame = was.units === units && was.deliveredGhs === deliveredGhs;
      // What was not seen may have come since: the same again lets the coins cover it.
      if (isSame && was.txid === txid && was.unseenReason === null)
        throw new Refusal("payouts/nothing-to-correct");
      const act = {
        act: "payouts/correct" as const,
        subject: `payout:${id}`,
        detail: {
          corrects,
          day,
          btc: toDecimal(units, "BTC"),
          before: toDecimal(was.units, "BTC"),
          deliveredThs: writeThs(deliveredGhs),
          deliveredThsBefore: writeThs(was.deliveredGhs),
          txid,
          reason: correctionReason,
        },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, proposalActionId) =>
        inner.insert(poolPayouts).values({
          id,
          poolId,
          day,
          ...proposal,
          state: "proposed",
          proposedAt: now,
          proposalActionId,
        }),
      );
    }),
  );
}
