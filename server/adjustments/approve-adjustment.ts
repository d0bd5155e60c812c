import { feeCoinOf, isOutlay } from "#core/payments/adjustments.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { requireCustomersCovered, requireEquity } from "../ledger/require-equity.ts";
import { reverseTransfer } from "../ledger/reverse-transfer.ts";
import type { Leg } from "../ledger/transfer.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { type Adjustment, actOn, lockForDecision } from "./lock-adjustment.ts";
import { refusals } from "./refusals.ts";
import { adjustments } from "./schema.ts";

/**
 * Approves what somebody else proposed, and posts it: audit row, transfer, adjustment and notice in one transaction.
 * Pressed twice, or by two at once, it is posted once. Locks the adjustment; enqueues the notice to the customer.
 *
 * Refuses with adjustments/not-found, adjustments/already-decided, adjustments/own-proposal,
 * adjustments/account-closed, adjustments/payment-already-counted, adjustments/batch-books-it, ledger/insufficient-equity,
 * ledger/customers-not-covered, ledger/insufficient-balance (a reversal of what the customer has used), and as `actAsOperator` does.
 */
export async function approveAdjustment(
  db: Db,
  operator: ActingOperator,
  adjustmentId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await lockForDecision(tx, operator, { adjustmentId, into: "approved" });
    if (!found) return;
    if (found.proposedBy === operator.id) throw new Refusal("adjustments/own-proposal");
    const act = actOn("adjustments/approve", found, now);
    await refusedBy(refusals, () =>
      actAsOperator(tx, operator, act, async (inner, auditId) => {
        const transferId = await post(inner, found, now);
        const decision = { decidedBy: operator.id, decidedByAct: auditId, decidedAt: now };
        await inner
          .update(adjustments)
          .set({ state: "approved", ...decision, transferId })
          .where(eq(adjustments.id, adjustmentId));
        await requireEquity(inner);
        if (found.kind !== "equity-funding" && found.kind !== "wallet-transfer") {
          await requireCustomersCovered(inner);
        }
        await tell(inner, found, transferId);
      }),
    );
  });
}

async function post(tx: Tx, adjustment: Adjustment, now: Date): Promise<string> {
  const { id, kind, customerId, reason, txid, reverses } = adjustment;
  const key = `adjustment:${id}`;
  if (kind === "reversal") {
    const [original] = await tx
      .select({ transferId: adjustments.transferId })
      .from(adjustments)
      .where(eq(adjustments.id, reverses ?? ""));
    const done = { transferId: original?.transferId ?? "", key, occurredAt: now, memo: reason };
    return (await reverseTransfer(tx, done)).transferId;
  }
  const ownerId = customerId ?? "house";
  const { transferId } = await postTransfer(tx, {
    kind,
    key,
    ownerId,
    day: utcDay(now),
    occurredAt: now,
    source: key,
    memo: txid ? `${reason}, transaction ${txid}` : reason,
    legs: isOutlay(kind) ? legsOfOutlay(adjustment) : legsOf(adjustment),
  });
  return transferId;
}

function legsOf({ customerId, asset, units }: Adjustment): Leg[] {
  const [from, to] = customerId
    ? (["operator_equity", "available"] as const)
    : (["custody", "operator_equity"] as const);
  return [
    { account: from, asset, owner: "house", units: -units },
    { account: to, asset, owner: customerId ?? "house", units },
  ];
}

/** What was taken out and what the network took leave custody; what moved between own wallets stays in it. */
function legsOfOutlay({ kind, asset, units, feeUnits }: Adjustment): Leg[] {
  const owner = "house";
  const taken = kind === "equity-drawing" ? units : 0n;
  const fee = feeUnits ?? 0n;
  const feeCoin = feeCoinOf(asset);
  const fromSameCoin = feeCoin === asset ? taken + fee : taken;
  const legs: Leg[] = [
    { account: "operator_drawings", asset, owner, units: -taken },
    { account: "network_fee_expense", asset: feeCoin, owner, units: -fee },
    { account: "custody", asset, owner, units: fromSameCoin },
    { account: "custody", asset: feeCoin, owner, units: feeCoin === asset ? 0n : fee },
  ];
  return legs.filter((leg) => leg.units !== 0n);
}

/** What is the house's alone is told to nobody. */
async function tell(tx: Tx, adjustment: Adjustment, transferId: string): Promise<void> {
  const { id: adjustmentId, kind, customerId, asset, units, reason } = adjustment;
  if (customerId === null || kind === "equity-funding" || isOutlay(kind)) return;
  const facts = { adjustmentId, transferId, asset, units, reason };
  const notice =
    kind === "reversal"
      ? { kind: "adjustment-reversed" as const, ...facts }
      : { kind: "adjustment-posted" as const, gift: kind, ...facts };
  await sendNoticeLater(tx, { customerId, notice });
}
