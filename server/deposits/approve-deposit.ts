import { formatUsd } from "#core/money.ts";
import {
  coinOfMethod,
  type DepositMethod,
  maxDepositUnits,
  maxDepositUsdCents,
  parseTxid,
} from "#core/payments/deposit.ts";
import { Refusal } from "#core/refusal.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { findFreshPrice } from "../markets/find-fresh-price.ts";
import { pinPrice } from "../markets/pin-price.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { slipPath } from "./deposit.ts";
import { lockPendingDeposit } from "./lock-pending-deposit.ts";
import { postDeposit } from "./post-deposit.ts";
import { refusals } from "./refusals.ts";
import { deposits } from "./schema.ts";

/** What staff say that arrived with a slip. */
export interface Arrived {
  depositId: string;
  /** What arrived, in the coin's smallest unit. */
  quantityUnits: bigint;
  txid: string;
  /** Which output paid; null or absent: the payment is the whole transaction. */
  outputIndex?: number | null;
  /** The dollars that the slip shows, where they differ from the claim. */
  usdCents?: bigint;
}

export interface Approval extends Arrived {
  /** The audit row of the staff act, whose subject is `deposit:<id>`. */
  auditId: string;
  now: Date;
}

/**
 * Approves a deposit against the transaction that paid it: credits the quantity that arrived to the customer (custody to available) and
 * corrects the dollars when the claim was wrong. One transaction with the staff act that it belongs to: of one person, or the second of two
 * (`proposeApproval`). Keeps the price that says what the coins are worth at that moment, where one is fresh. Locks the deposit; enqueues
 * the notice to the customer.
 *
 * Refuses with deposits/not-found, deposits/already-reviewed, deposits/quantity-out-of-range,
 * deposits/amount-out-of-range, deposits/not-a-txid, deposits/not-an-output and
 * deposits/payment-already-credited and deposits/not-what-the-chain-shows; deposits/second-person-needed where one person may not
 * approve so much alone, and deposits/approval-proposed while a proposal waits.
 */
export async function approveDeposit(
  tx: Tx,
  approval: Approval,
): Promise<{ transferId: string; customerId: string }> {
  const { depositId, quantityUnits, auditId, now } = approval;
  const deposit = await lockPendingDeposit(tx, depositId);
  const { customerId, method } = deposit;
  const { txid, outputIndex, usdCents } = checkArrived(approval, deposit);
  await lockPaymentsOf(tx, txid);
  const asset = coinOfMethod[method];
  const { transferId } = await postArrived(tx, approval, deposit);
  const price = await findFreshPrice(tx, asset, now);
  if (price) await pinPrice(tx, price);
  await refusedBy(refusals, () =>
    tx
      .update(deposits)
      .set({
        state: "approved",
        usdCents,
        imageUrl: slipPath(depositId),
        quantityUnits,
        txid,
        outputIndex,
        transferId,
        priceId: price?.priceId ?? null,
        reviewedAt: now,
        reviewActionId: auditId,
      })
      .where(eq(deposits.id, depositId)),
  );
  const facts = { depositId, method, usdCents, asset, units: quantityUnits };
  await sendNoticeLater(tx, { customerId, notice: { kind: "deposit-approved", ...facts } });
  return { transferId, customerId };
}

/** Posts what staff say that arrived. */
export function postArrived(
  tx: Tx,
  arrived: Arrived & { now: Date },
  deposit: PendingDeposit,
): Promise<{ transferId: string }> {
  const { txid, usdCents } = checkArrived(arrived, deposit);
  const memo = `${deposit.method} deposit of ${formatUsd(usdCents)}, transaction ${txid}`;
  return postDeposit(tx, { ...arrived, ...deposit, memo });
}

type PendingDeposit = Awaited<ReturnType<typeof lockPendingDeposit>>;

/** Before anything else of a credit, as whoever settles payments does: the two would wait for each other for ever. */
async function lockPaymentsOf(tx: Tx, txid: string): Promise<void> {
  await tx.execute(sql`
    select from chain_payments where txid = ${txid} and chain in ('bitcoin', 'ethereum') order by id for share`);
}

/** The same as it is kept, or why it cannot be. */
export function checkArrived(
  arrived: Arrived,
  deposit: { method: DepositMethod; claimedUsdCents: bigint },
) {
  const { quantityUnits, outputIndex = null, usdCents = deposit.claimedUsdCents } = arrived;
  const most = maxDepositUnits[coinOfMethod[deposit.method]];
  if (quantityUnits <= 0n || quantityUnits > most) {
    throw new Refusal("deposits/quantity-out-of-range");
  }
  if (usdCents <= 0n || usdCents > maxDepositUsdCents) {
    throw new Refusal("deposits/amount-out-of-range");
  }
  const txid = parseTxid(arrived.txid, deposit.method);
  if (!txid) throw new Refusal("deposits/not-a-txid");
  const isOutput = outputIndex === null || (Number.isInteger(outputIndex) && outputIndex >= 0);
  if (!isOutput || (outputIndex ?? 0) > 1_000_000) throw new Refusal("deposits/not-an-output");
  return { txid, outputIndex, usdCents };
}
