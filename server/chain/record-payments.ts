import { randomUUIDv7 } from "node:crypto";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import type { FoundPayment } from "./chain-reader.ts";
import { chainPayments, chainTransactions } from "./schema.ts";

/** Where payments were seen: in a block of the chain, or, null, where transactions wait for one. */
export type PaymentPlace = { height: number; hash: string; time: Date } | null;

/**
 * Writes down payments to our addresses, each place in a transaction once, however often and by whomever it is announced.
 * One that was known moves on: into its block, or back to where it waits when nobody waited with it. Where an Ethereum
 * transaction does something else in another block, that is another payment.
 */
export async function recordPayments(
  tx: Tx,
  chain: WalletChain,
  payments: FoundPayment[],
  place: PaymentPlace,
  now: Date,
): Promise<void> {
  if (payments.length === 0) return;
  const transactions = new Map(payments.map((payment) => [payment.txid, payment]));
  for (const some of inPieces([...transactions])) {
    await tx
      .insert(chainTransactions)
      .values(
        some.map(([txid, { raw, spends }]) => ({ chain, txid, raw, firstSeenAt: now, spends })),
      )
      .onConflictDoNothing();
  }
  const where = {
    state: place ? ("mined" as const) : ("seen" as const),
    blockHeight: place?.height ?? null,
    blockHash: place?.hash ?? null,
    blockTime: place?.time ?? null,
    changedAt: now,
    askAt: now,
  };
  const rows = payments.map(({ raw: _, spends: __, ...payment }) => ({
    id: randomUUIDv7(),
    chain,
    ...payment,
    seenAt: now,
    ...where,
  }));
  const p = chainPayments;
  // In one order, so that two who write the same wait for each other instead of forever.
  rows.sort((a, b) => compare(`${a.txid}${a.outputIndex}`, `${b.txid}${b.outputIndex}`));
  for (const some of inPieces(rows)) {
    await tx
      .insert(p)
      .values(some)
      .onConflictDoUpdate({
        target: [p.chain, p.txid, p.outputIndex, p.asset, p.address, p.units],
        set: where,
        setWhere: place
          ? sql`${p.blockHash} is distinct from ${place.hash}`
          : sql`${p.state} in ('dropped', 'orphaned')`,
      });
  }
  await askAgainWhatIsOwn(tx, chain, transactions);
}

/** What spends another of these was perhaps written before it: only now PostgreSQL can tell that it spends a coin of ours. */
async function askAgainWhatIsOwn(
  tx: Tx,
  chain: WalletChain,
  transactions: Map<string, FoundPayment>,
): Promise<void> {
  const children = [...transactions.values()].filter(({ spends }) =>
    spends?.some((outpoint) => transactions.has(outpoint.split(":")[0] ?? "")),
  );
  const txids = children.map(({ txid }) => txid);
  if (txids.length === 0) return;
  await tx
    .update(chainPayments)
    .set({ fromOwn: sql`spends_own(${chainPayments.txid})` })
    .where(
      and(
        eq(chainPayments.chain, chain),
        sql`${chainPayments.txid} = any(${sql.param(txids)}::text[])`,
      ),
    );
}

/** One statement takes 65,535 parameters, and one block can hold more payments than that. */
const atOnce = 1_000;

function* inPieces<T>(all: T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += atOnce) yield all.slice(from, from + atOnce);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
