import type { Coin } from "#core/asset.ts";
import { coinOfMethod, depositMethods } from "#core/payments/deposit.ts";
import { and, eq, inArray, isNull, or } from "#server/platform/sql.ts";
import { deposits } from "./schema.ts";

/**
 * Deposits of a payment on chain: the one that it credited, and those that staff approved for its output or for the whole
 * transaction.
 */
export function isCountedAs(payment: {
  id: string;
  txid: string;
  outputIndex: number;
  asset: Coin;
}) {
  const isOutput = or(isNull(deposits.outputIndex), eq(deposits.outputIndex, payment.outputIndex));
  const byIt = or(isNull(deposits.paymentId), eq(deposits.paymentId, payment.id));
  const ofCoin = depositMethods.filter((each) => coinOfMethod[each] === payment.asset);
  return and(eq(deposits.txid, payment.txid), inArray(deposits.method, ofCoin), isOutput, byIt);
}
