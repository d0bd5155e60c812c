import { and, asc, eq, gt, inArray, isNotNull, type SQL, sql } from "#server/platform/sql.ts";
import { NodeError } from "../chain/json-rpc.ts";
import { chainReorgs } from "../chain/schema.ts";
import type { Db } from "../platform/database.ts";
import type { Nodes } from "./node.ts";
import {
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawalPayments,
  withdrawalTransactions,
} from "./schema.ts";

const b = withdrawalBatches;
const p = withdrawalPayments;
const r = chainReorgs;
const t = withdrawalTransactions;
const v = withdrawalBatchVersions;

/** For so long after its block left the chain. */
const againForMs = 14 * 86_400_000;

/**
 * Sends again what had ended when its block left the chain after all: the bytes that were signed, whose coins and nonces no chain
 * takes twice. What was given back is not sent again.
 *
 * @throws NodeError when a node does not answer
 */
export async function sendWhatLeft(db: Db, { bitcoin, ethereum }: Nodes, now: Date): Promise<void> {
  const since = gt(r.foundAt, new Date(now.getTime() - againForMs));
  const hasLeft = and(eq(r.chain, b.chain), since);
  if (bitcoin) {
    const left = await db
      .selectDistinct({ raw: v.raw, formedAt: b.formedAt })
      .from(b)
      .innerJoin(v, eq(v.id, b.minedVersionId))
      .innerJoin(r, and(hasLeft, gt(b.minedHeight, r.forkHeight), gt(r.foundAt, b.endedAt)))
      .where(and(eq(b.state, "settled"), isNotNull(v.raw)))
      .orderBy(asc(b.formedAt));
    for (const { raw } of left) {
      await unlessRefused(bitcoin.sendRawTransaction(inHex(raw)));
    }
  }
  if (ethereum) {
    const left = await db
      .selectDistinct({ raw: t.raw, nonce: p.nonce })
      .from(p)
      .innerJoin(b, eq(b.id, p.batchId))
      .innerJoin(t, and(eq(t.withdrawalId, p.withdrawalId), eq(t.txid, p.minedTxid)))
      .innerJoin(r, and(hasLeft, gt(p.minedHeight, r.forkHeight), gt(r.foundAt, p.endedAt)))
      .where(inArray(p.outcome, ["paid", "voided"]))
      .orderBy(asc(p.nonce));
    for (const { raw } of left) {
      await unlessRefused(ethereum.sendRawTransaction(`0x${inHex(raw)}`));
    }
  }
}

/** Since when something that a batch had paid is no longer in its block; null: as far as is known all of it is. */
export const leftItsBlockAt: SQL<Date | null> = sql`(
  select max(r.found_at) from chain_reorgs r
   where r.chain = ${b.chain}
     and (${b.minedHeight} > r.fork_height and r.found_at > ${b.endedAt}
          or exists (select from withdrawal_payments p
                      where p.batch_id = ${b.id} and p.mined_height > r.fork_height and r.found_at > p.ended_at)))`.mapWith(
  r.foundAt,
);

function inHex(raw: Uint8Array | null): string {
  return Buffer.from(raw ?? []).toString("hex");
}

/** A node that has it already, waiting or in a block, says so by refusing it. */
async function unlessRefused(sent: Promise<unknown>): Promise<void> {
  await sent.catch((error: unknown) => {
    if (!(error instanceof NodeError && error.failure === "refused")) throw error;
  });
}
