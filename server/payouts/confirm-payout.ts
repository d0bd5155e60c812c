import { writeThs } from "#core/mining/hashrate.ts";
import { toDecimal } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import { reverseTransfer } from "../ledger/reverse-transfer.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { findProposer } from "./find-proposer.ts";
import { postPayout } from "./insert-payout.ts";
import { lockPayout } from "./lock-payout.ts";
import { refusals } from "./refusals.ts";
import { poolPayouts } from "./schema.ts";

/**
 * Confirms a payout as the second person: posts it. A correction takes back what it corrects in the same transaction.
 * Confirming what is recorded changes nothing.
 *
 * @throws Refusal `payouts/no-such-payout`, `payouts/already-decided` (refused), `payouts/nobody-stands-for-it`,
 *   `payouts/own-proposal`, `payouts/second-person-needed`, `payouts/proposer-left`, and as `actAsOperator` does
 */
export function confirmPayout(
  db: Db,
  operator: ActingOperator,
  payoutId: string,
  now: Date,
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const payout = await lockPayout(tx, payoutId);
      if (payout.state === "recorded") return;
      if (payout.state === "refused") throw new Refusal("payouts/already-decided");
      if (!payout.proposalActionId) throw new Refusal("payouts/nobody-stands-for-it");
      if ((await findProposer(tx, payout.proposalActionId)) === operator.id) {
        throw new Refusal("payouts/own-proposal");
      }
      const act = {
        act: "payouts/confirm" as const,
        subject: `payout:${payoutId}`,
        detail: {
          day: payout.day,
          btc: toDecimal(payout.units, "BTC"),
          deliveredThs: writeThs(payout.deliveredGhs),
          poolId: payout.poolId,
          txid: payout.txid,
          corrects: payout.corrects,
        },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, decisionActionId) => {
        if (payout.corrects) await takeBack(inner, payout.corrects, now);
        const transferId = await postPayout(inner, { ...payout, payoutId }, now);
        await inner
          .update(poolPayouts)
          .set({ state: "recorded", decidedAt: now, decisionActionId, transferId })
          .where(eq(poolPayouts.id, payoutId));
      });
    }),
  );
}

async function takeBack(tx: Tx, correctedId: string, now: Date): Promise<void> {
  const { day, transferId } = await lockPayout(tx, correctedId);
  if (!transferId) return;
  await reverseTransfer(tx, {
    transferId,
    key: `pool-payout-reversal:${correctedId}`,
    occurredAt: now,
    memo: `The payout for ${day} was another`,
  });
}
