import { bytesToHex } from "@noble/hashes/utils.js";
import { and, eq, inArray, isNotNull } from "#server/platform/sql.ts";
import { chainTransactions } from "../../chain/schema.ts";
import type { Db } from "../../platform/database.ts";
import { withdrawalBatchVersions } from "../schema.ts";

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
