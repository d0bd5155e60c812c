import { hexToBytes } from "@noble/hashes/utils.js";
import { Transaction } from "@scure/btc-signer";
import {
  flag,
  number,
  orNull,
  type RowOf,
  readRows,
  text,
} from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import type { BitcoinNode } from "../../chain/bitcoin/bitcoin-node.ts";
import type { LedgerCheck } from "../../ledger/verify/ledger-check.ts";
import { recomputeDays } from "../../proof/recompute-days.ts";
import { askInTurn } from "../ask-in-turn.ts";
import { listMarksOf } from "./mark.ts";

const columns = {
  day: text,
  txid: text,
  height: number,
  hash: text,
  /** What its version says that it carries; null: nothing. */
  mark: orNull(text),
  /** Such a version carries none. */
  paysNobody: flag,
  /** Whether it was built when there was no digest yet, or in the hour after: by the books' own word. */
  isBefore: flag,
};
type MinedBatch = RowOf<typeof columns>;

/**
 * Reads the marks out of the blocks of a node, and compares each with the digests that the books give now: whoever wrote the ledger
 * or the audit log anew, with seals, links and digests that fit, could not change what was mined. An auditor asks a node of his own.
 *
 * @throws NodeError; Error with words for a person, where the node is not in step or lacks blocks
 */
export async function verifyMarks(db: Db, node: BitcoinNode): Promise<LedgerCheck[]> {
  const batches = await listMined(db);
  await requireBlocks(node, batches);
  const dayOf = await recomputeDays(db);
  const looked = await askInTurn(batches, (batch) => look(node, batch));
  const there = looked.filter(({ carried }) => carried !== null);
  const days = there.flatMap(({ carried }) => dayOf.get(carried?.[0] ?? "") ?? []);
  const newest = days.sort().at(-1);
  return [
    toCheck(
      "every batch that pays carries a digest into the chain that these books give",
      there.map(({ batch, carried }) => [batch, faultOfMark(carried ?? [], batch, dayOf)]),
      newest ? `${days.length} in ${there.length} batches, the newest of ${newest}` : "none yet",
    ),
    toCheck(
      "every batch is in the block that the books name",
      looked.map(({ batch, carried }) => [
        batch,
        carried ? null : `is not in block ${batch.height}: its mark was not compared`,
      ]),
      `${there.length} batches`,
    ),
  ];
}

function faultOfMark(
  carried: string[],
  { mark, isBefore, paysNobody }: MinedBatch,
  dayOf: Map<string, string>,
): string | null {
  const [digest, ...more] = carried;
  if (digest === undefined)
    return mark === null && (isBefore || paysNobody) ? null : "carries no mark";
  if (more.length > 0) return "carries several marks";
  const day = dayOf.get(digest);
  if (day === undefined) return `carries ${digest}, which these books give for no day`;
  return digest === mark
    ? null
    : `carries the digest of ${day}, and the books say ${mark ?? "that it carries none"}`;
}

/** What the transaction of a batch carries; null: it is not in its block. */
async function look(node: BitcoinNode, batch: MinedBatch) {
  const isInChain = (await node.getBlockHash(batch.height)) === batch.hash;
  const found = isInChain ? await node.getRawTransaction(batch.txid, batch.hash) : null;
  return { batch, carried: found && listMarksOf(readTransaction(found.hex)) };
}

const readTransaction = (hex: string) =>
  Transaction.fromRaw(hexToBytes(hex), { allowUnknownOutputs: true, disableScriptCheck: true });

async function requireBlocks(node: BitcoinNode, batches: MinedBatch[]): Promise<void> {
  const heights = batches.map(({ height }) => height);
  const { blocks, pruneheight = 0 } = await node.getBlockchainInfo();
  if (blocks < Math.max(0, ...heights)) {
    throw new Error(
      `the node has ${blocks} blocks and is behind the books: ask again once it has caught up`,
    );
  }
  if (heights.some((height) => height < pruneheight)) {
    throw new Error(
      `the node has pruned the blocks below ${pruneheight}: ask one that has all of them`,
    );
  }
}

function toCheck(
  claim: string,
  found: (readonly [MinedBatch, fault: string | null])[],
  looked: string,
): LedgerCheck {
  const wrong = found.flatMap(([{ day, txid }, fault]) =>
    fault === null ? [] : `the batch of ${day}, ${txid}, ${fault}`,
  );
  const detail = wrong.length === 0 ? looked : `${wrong.length} wrong, first: ${wrong[0]}`;
  return { claim, holds: wrong.length === 0, detail };
}

/** Every settled batch, the oldest first. */
function listMined(db: Db): Promise<MinedBatch[]> {
  return readRows(
    db,
    sql`select b.day::text, v.txid, b.mined_height as height, b.mined_hash as hash, encode(v.mark, 'hex') as mark,
               cardinality(v.pays) = 0 as "paysNobody",
               v.made_at < coalesce((select min(published_at) from proof_days), v.made_at + interval '1 hour') + interval '1 hour' as "isBefore"
          from withdrawal_batches b join withdrawal_batch_versions v on v.id = b.mined_version_id and v.batch_id = b.id
         where b.chain = 'bitcoin' and b.state = 'settled'
         order by b.mined_height, v.id`,
    columns,
  );
}
