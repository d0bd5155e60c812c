import { and, eq, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { findPosition } from "../find-position.ts";
import { recordPayments } from "../record-payments.ts";
import { chainPayments } from "../schema.ts";
import type { BlockSource } from "./block-source.ts";
import { matchOutputs } from "./match-outputs.ts";
import { type ParsedTransaction, parseTransaction } from "./parse-block.ts";

/** So many are read in one pass. */
const readAtMost = 5_000;

/**
 * Transactions that waited in the last pass, by database, and whether each was looked at, which is done once while it waits.
 * Forgotten with the process.
 */
const lookedAt = new WeakMap<Db, Map<string, boolean>>();

/**
 * Looks at the transactions that wait for a block, and writes down which pay an address of ours; and of those that were
 * seen to wait, which do so no more. Nothing is ever credited by it.
 *
 * @throws SourceIncident
 */
export async function readMempool(db: Db, source: BlockSource, now: Date): Promise<void> {
  const waiting = await source.mempool.list();
  const before = lookedAt.get(db) ?? new Map<string, boolean>();
  const orphaned = new Set(await findOrphaned(db));
  // What came since the last pass is read before what waited then: somebody may look for it at this moment. What was looked at
  // while its block still counted has come again since.
  const came = waiting.filter((txid) => !before.has(txid) || orphaned.has(txid));
  const left = waiting.filter((txid) => before.get(txid) === false && !orphaned.has(txid));
  const wanted = [...came, ...left].slice(0, readAtMost);
  const read = await source.mempool.read(wanted);
  const transactions = read.flatMap((raw) => (raw ? parse(raw) : []));
  await db.transaction(async (tx) => {
    await recordPayments(tx, "bitcoin", await matchOutputs(tx, transactions), null, now);
  });
  const justRead = new Set(wanted.slice(0, read.length));
  const isRead = (txid: string) => before.get(txid) === true || justRead.has(txid);
  lookedAt.set(db, new Map(waiting.map((txid) => [txid, isRead(txid)])));
  await dropReplaced(db, source, new Set(waiting), now);
}

async function findOrphaned(db: Db): Promise<string[]> {
  const rows = await db
    .select({ txid: chainPayments.txid })
    .from(chainPayments)
    .where(and(eq(chainPayments.chain, "bitcoin"), eq(chainPayments.state, "orphaned")));
  return rows.map(({ txid }) => txid);
}

/** What is not what it says is not looked at: only blocks are believed anyway. */
function parse(raw: Buffer): ParsedTransaction[] {
  try {
    return [parseTransaction(raw)];
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

async function dropReplaced(
  db: Db,
  source: BlockSource,
  waiting: Set<string>,
  now: Date,
): Promise<void> {
  const seen = await db
    .select({ id: chainPayments.id, txid: chainPayments.txid })
    .from(chainPayments)
    .where(and(eq(chainPayments.chain, "bitcoin"), eq(chainPayments.state, "seen")));
  const gone = seen.filter(({ txid }) => !waiting.has(txid)).map(({ id }) => id);
  if (gone.length === 0) return;
  // One that went into a block a moment ago no longer waits either: then there is a block to be read first.
  const position = await findPosition(db, "bitcoin");
  if ((await source.askTip()).hash !== position?.hash) return;
  await db
    .update(chainPayments)
    .set({ state: "dropped", changedAt: now })
    .where(
      and(
        sql`${chainPayments.id} = any(${sql.param(gone)}::uuid[])`,
        eq(chainPayments.state, "seen"),
      ),
    );
}
