import { and, eq, isNull, or } from "#server/platform/sql.ts";
import { deposits } from "./schema.ts";

/**
 * Deposits of a payment on chain: the one that it credited, and those that staff approved for its output or for the whole
 * transaction.
 */
export function isCountedAs(payment: { id: string; txid: string; outputIndex: number }) {
  const isOutput = or(isNull(deposits.outputIndex), eq(deposits.outputIndex, payment.outputIndex));
  const byIt = or(isNull(deposits.paymentId), eq(deposits.paymentId, payment.id));
  return and(eq(deposits.txid, payment.txid), isOutput, byIt);
}
