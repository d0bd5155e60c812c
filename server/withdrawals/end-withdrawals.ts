import type { Coin } from "#core/asset.ts";
import { amountInWords } from "#core/money.ts";
import { utcDay } from "#core/utc-day.ts";
import { eq } from "#server/platform/sql.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { postTransfers } from "../ledger/post-transfers.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Tx } from "../platform/database.ts";
import { giveBack, type Withdrawal } from "./give-back.ts";
import { withdrawals } from "./schema.ts";
import { subjectOf } from "./withdrawal.ts";

/** What a customer reads whose payment never left because the chain took something else. */
export const overtakenWords =
  "Another transaction took the place of the one that paid it, so it cannot leave any more.";

/** The same where the batch's coin is gone, and two people ended it. */
export const abandonedWords =
  "The transaction that was to pay it cannot be completed any more, so we returned the coins to your balance.";

/**
 * Posts what a transaction paid, and ends the withdrawals, which the caller has locked. Customers' accounts are locked in the
 * order of their ids.
 */
export async function settleWithdrawals(
  tx: Tx,
  paid: Withdrawal[],
  txid: string,
  now: Date,
): Promise<Array<{ withdrawal: Withdrawal; transferId: string }>> {
  if (paid.length === 0) return [];
  const posted = await postTransfers(
    tx,
    paid.map(({ id, customerId, asset, units, feeUnits, address }) => ({
      kind: "withdrawal-sent" as const,
      key: `withdrawal-sent:${id}`,
      ownerId: customerId,
      day: utcDay(now),
      occurredAt: now,
      source: subjectOf(id),
      memo: `To ${address}, transaction ${txid}${feeInWords(feeUnits, asset)}`,
      legs: [
        { account: "held" as const, asset, owner: customerId, units: -units },
        { account: "custody" as const, asset, owner: "house", units: units - feeUnits },
        ...(feeUnits > 0n
          ? [{ account: "withdrawal_fee_revenue" as const, asset, owner: "house", units: feeUnits }]
          : []),
      ],
    })),
  );
  return paid.map((withdrawal, i) => ({ withdrawal, transferId: posted[i]?.transferId ?? "" }));
}

/** A statement needs it: what left and what was paid for it are taxed apart. */
function feeInWords(feeUnits: bigint, asset: Coin): string {
  return feeUnits > 0n ? `, of it ${amountInWords(feeUnits, asset)} are our fee` : "";
}

/** Says of a withdrawal that it has left, and tells its customer. What settles it stands in the database by now. */
export async function noteSettled(
  tx: Tx,
  { withdrawal, transferId }: { withdrawal: Withdrawal; transferId: string },
  txid: string,
  now: Date,
): Promise<void> {
  const { id, customerId, asset, units, feeUnits, address } = withdrawal;
  await tx
    .update(withdrawals)
    .set({ state: "settled", endedAt: now, endTransferId: transferId })
    .where(eq(withdrawals.id, id));
  const facts = { withdrawalId: id, asset, units: units - feeUnits, address, txid };
  await sendNoticeLater(tx, { customerId, notice: { kind: "withdrawal-settled", ...facts } });
}

/** Gives back what no transaction can pay any more, and tells its customer why. */
export async function comeBack(
  tx: Tx,
  withdrawal: Withdrawal,
  reason: string,
  now: Date,
): Promise<void> {
  await giveBack(tx, withdrawal, { state: "returned", endedBy: "chain", reason }, now);
  const { id: withdrawalId, customerId, asset, units, address } = withdrawal;
  const facts = { withdrawalId, asset, units, address, reason };
  await sendNoticeLater(tx, { customerId, notice: { kind: "withdrawal-returned", ...facts } });
}

/** Gives several back, which the caller has locked. */
export async function returnWithdrawals(
  tx: Tx,
  { withdrawals: unpaid, reason }: { withdrawals: Withdrawal[]; reason: string },
  now: Date,
): Promise<void> {
  for (const withdrawal of unpaid) await comeBack(tx, withdrawal, reason, now);
}

/** Posts what the network took, which is the house's, in the coin that its chain is paid with. Returns the transfer's id. */
export async function postNetworkFee(
  tx: Tx,
  fee: { of: string; source: string; asset: "BTC" | "ETH"; units: bigint; txid: string },
  now: Date,
): Promise<string> {
  const { asset, units } = fee;
  const { transferId } = await postTransfer(tx, {
    kind: "network-fee",
    key: `network-fee:${fee.of}`,
    ownerId: "house",
    day: utcDay(now),
    occurredAt: now,
    source: fee.source,
    memo: `Transaction ${fee.txid}`,
    legs: [
      { account: "network_fee_expense", asset, owner: "house", units: -units },
      { account: "custody", asset, owner: "house", units },
    ],
  });
  return transferId;
}
