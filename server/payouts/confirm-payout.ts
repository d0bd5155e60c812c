import { writeThs } from "#core/mining/hashrate.ts";
import { toDecimal } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import { reverseTransfer } from "../ledger/reverse-transfer.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { findLack } from "./find-lack.ts";
import { findProposer } from "./find-proposer.ts";
import { postPayout } from "./insert-payout.ts";
import { lockPayout } from "./lock-payout.ts";
import { refusals } from "./refusals.ts";
import { poolPayouts } from "./schema.ts";

/**
 * Confirms a payout as the second person: posts it. A correction takes back what it corrects in the same transaction.
 * Confirming what is recorded changes nothing. What the pool's coins do not cover takes a reason (`given`),
 * which customers read.
 *
 * @throws Refusal `payouts/no-such-payout`, `payouts/already-decided` (refused), `payouts/nobody-stands-for-it`,
 *   `payouts/own-proposal`, `payouts/second-person-needed`, `payouts/proposer-left`, `payouts/coins-missing`, and as `actAsOperator`
 *   does
 */
export function confirmPayout(
  db: Db,
  operator: ActingOperator,
  payoutId: string,
  now: Date,
  given = "",
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const payout = await lockPayout(tx, payoutId);
      if (payout.state === "recorded") return;
      await requireTheirs(tx, operator, payout);
      const unseenReason = await whyUnseen(tx, payout, given);
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
          ...(unseenReason && { unseenReason }),
        },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, decisionActionId) => {
        if (payout.corrects) await takeBack(inner, payout.corrects, now);
        const transferId = await postPayout(inner, { ...payout, payoutId }, now);
        await inner
          .update(poolPayouts)
          .set({ state: "recorded", decidedAt: now, decisionActionId, transferId, unseenReason })
          .where(eq(poolPayouts.id, payoutId));
      });
    }),
  );
}

type LockedPayout = Awaited<ReturnType<typeof lockPayout>>;

/** That this person can confirm it: it waits, and another one stands for it. */
async function requireTheirs(
  tx: Tx,
  operator: ActingOperator,
  { state, proposalActionId }: LockedPayout,
): Promise<void> {
  if (state === "refused") throw new Refusal("payouts/already-decided");
  if (!proposalActionId) throw new Refusal("payouts/nobody-stands-for-it");
  if ((await findProposer(tx, proposalActionId)) === operator.id) {
    throw new Refusal("payouts/own-proposal");
  }
}

/** The reason for a payout that the pool's coins do not cover; null for another one, which needs none. */
async function whyUnseen(tx: Tx, payout: LockedPayout, given: string): Promise<string | null> {
  if ((await findLack(tx, payout)).covers !== false) return null;
  if (given.trim() === "") throw new Refusal("payouts/coins-missing");
  return given.trim();
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
