import { and, eq, isNull, or } from "drizzle-orm";
import { deposits } from "./schema.ts";

/** Deposits of a payment on chain: those that name its output, and those of the whole transaction, whoever credited them. */
export function isCountedAs({ txid, outputIndex }: { txid: string; outputIndex: number }) {
  const isOutput = or(isNull(deposits.outputIndex), eq(deposits.outputIndex, outputIndex));
  return and(eq(deposits.txid, txid), isOutput);
}
