import { bytesToHex } from "@noble/hashes/utils.js";
import { and, eq, inArray, isNotNull, sql } from "#server/platform/sql.ts";
import { chainPayments, chainTransactions, depositAddresses } from "../../chain/schema.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { withdrawalBatchVersions } from "../schema.ts";
import { outpointOf } from "./coin.ts";

/** What the watcher knows of coins, by outpoint. */
export async function findDeposits(db: Db | Tx, txids: string[]) {
  const p = chainPayments;
  const rows = await db
    .select({
      ...{ txid: p.txid, vout: p.outputIndex },
      // What two people said is nobody's deposit is the operator's to spend.
      isCredited: sql<boolean>`
        ${p.state} = 'mined' and (${p.settledAt} is not null or ${p.ruledAs} in ('operators', 'set-aside'))`,
      isFrozen: sql<boolean>`is_frozen(${p.customerId}) and ${p.ruledAs} is distinct from 'operators'`,
    })
    .from(p)
    .where(and(eq(p.chain, "bitcoin"), inArray(p.txid, txids), isNotNull(p.customerId)));
  return new Map(rows.map((row) => [outpointOf(row), row]));
}

/** Transactions that we built ourselves: nobody else can replace them. */
export async function findOwn(db: Db | Tx, txids: string[]): Promise<Set<string | null>> {
  const v = withdrawalBatchVersions;
  const rows = await db.select({ txid: v.txid }).from(v).where(inArray(v.txid, txids));
  return new Set(rows.map(({ txid }) => txid));
}

/** The customers whose addresses are derived at these indexes, by branch and index: `2/17`. */
export async function findIssued(db: Db | Tx, walletId: string, indexes: number[]) {
  const a = depositAddresses;
  const rows = await db
    .select({
      place: sql<string>`concat(${a.branch}, '/', ${a.derivationIndex})`,
      isFrozen: sql<boolean>`is_frozen(${a.customerId})`,
    })
    .from(a)
    .where(and(eq(a.walletId, walletId), inArray(a.derivationIndex, indexes)));
  return new Map(rows.map((row) => [row.place, row]));
}

/** Whole transactions as hex, by txid: those that the watcher read, and those that we had signed. */
export async function listKeptTransactions(db: Db, txids: string[]): Promise<Map<string, string>> {
  const c = chainTransactions;
  const v = withdrawalBatchVersions;
  const read = await db
    .select({ txid: c.txid, raw: c.raw })
    .from(c)
    .where(and(eq(c.chain, "bitcoin"), inArray(c.txid, txids), isNotNull(c.raw)));
  const made = await db
    .select({ txid: v.txid, raw: v.raw })
    .from(v)
    .where(and(inArray(v.txid, txids), isNotNull(v.raw)));
  return new Map(
    [...read, ...made].flatMap(({ txid, raw }) =>
      txid && raw ? [[txid, bytesToHex(raw)] as const] : [],
    ),
  );
}
