import { randomUUIDv7 } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Tx } from "../platform/database.ts";
import type { MatchedOutput } from "./match-outputs.ts";
import { chainPayments, chainTransactions } from "./schema.ts";

/** Where payments were seen: in a block of the chain, or, null, where transactions wait for one. */
export type PaymentPlace = { height: number; hash: string; time: Date } | null;

/**
 * Writes down payments to our addresses, each output once, however often and by whomever it is announced. One that was
 * known moves on: into its block, or back to where it waits when nobody waited with it.
 */
export async function recordPayments(
  tx: Tx,
  matched: MatchedOutput[],
  place: PaymentPlace,
  now: Date,
): Promise<void> {
  if (matched.length === 0) return;
  const chain = "bitcoin" as const;
  const transactions = new Map(matched.map(({ transaction }) => [transaction.txid, transaction]));
  await tx
    .insert(chainTransactions)
    .values([...transactions].map(([txid, { raw }]) => ({ chain, txid, raw, firstSeenAt: now })))
    .onConflictDoNothing();
  const where = {
    state: place ? ("mined" as const) : ("seen" as const),
    blockHeight: place?.height ?? null,
    blockHash: place?.hash ?? null,
    blockTime: place?.time ?? null,
    changedAt: now,
  };
  const rows = matched.map(({ transaction, outputIndex, address, sats }) => ({
    ...{ id: randomUUIDv7(), chain, txid: transaction.txid, outputIndex, asset: "BTC" as const },
    ...{ address, units: sats, coinbase: transaction.coinbase, seenAt: now, ...where },
  }));
  await tx
    .insert(chainPayments)
    // In one order, so that two who write the same wait for each other instead of forever.
    .values(rows.sort((a, b) => compare(`${a.txid}${a.outputIndex}`, `${b.txid}${b.outputIndex}`)))
    .onConflictDoUpdate({
      target: [chainPayments.chain, chainPayments.txid, chainPayments.outputIndex],
      set: where,
      setWhere: place
        ? sql`${chainPayments.blockHash} is distinct from ${place.hash}`
        : sql`${chainPayments.state} in ('dropped', 'orphaned')`,
    });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
