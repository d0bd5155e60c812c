import { coinOfMethod, type DepositMethod } from "#core/payments/deposit.ts";
import { utcDay } from "#core/utc-day.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import type { Tx } from "../platform/database.ts";

interface Posted {
  depositId: string;
  customerId: string;
  method: DepositMethod;
  /** What arrived, in the coin's smallest unit. */
  quantityUnits: bigint;
  memo: string;
  now: Date;
}

/** Posts what arrived, custody to available; the deposit must name the transfer before the transaction ends. */
export function postDeposit(
  tx: Tx,
  { depositId, customerId, method, quantityUnits, memo, now }: Posted,
): Promise<{ transferId: string }> {
  const asset = coinOfMethod[method];
  return postTransfer(tx, {
    kind: "deposit",
    key: `deposit:${depositId}`,
    source: `deposit:${depositId}`,
    memo,
    ownerId: customerId,
    day: utcDay(now),
    occurredAt: now,
    legs: [
      { account: "custody", asset, owner: "house", units: -quantityUnits },
      { account: "available", asset, owner: customerId, units: quantityUnits },
    ],
  });
}
