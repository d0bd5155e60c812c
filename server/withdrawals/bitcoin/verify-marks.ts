import { hexToBytes } from "@noble/hashes/utils.js";
import { Transaction } from "@scure/btc-signer";
import { number, orNull, type RowOf, readRows, text } from "#server/platform/database/read-rows.ts";
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
};
type MarkedBatch = RowOf<typeof columns>;

/**
 * Reads the marks out of the blocks of a node, and compares each with the digests that the books give now: whoever wrote the ledger
 * or the audit log anew, with seals, links and digests that fit, could not change what was mined. The node needs the blocks, so it
 * must not have pruned them; an auditor asks a node of his own.
 *
 * @throws NodeError
 */
export async function verifyMarks(db: Db, node: BitcoinNode): Promise<LedgerCheck[]> {
  const batches = await listMined(db);
  const dayOf = await recomputeDays(db);
  const first = batches.findIndex(({ mark }) => mark !== null);
  const marked = first < 0 ? [] : batches.slice(first);
  const faults = await askInTurn(marked, async (batch) => {
    const fault = await findFault(node, batch, dayOf);
    return fault && `the batch of ${batch.day}, ${batch.txid}, ${fault}`;
  });
  const [wrong, ...more] = faults.filter((fault) => fault !== null);
  const newest = dayOf.get(marked.at(-1)?.mark ?? "");
  const looked = `${marked.length} marks${newest ? `, the newest of ${newest}` : ""}`;
  return [
    {
      claim: "every mark in the chain is a digest that these books give",
      holds: wrong === undefined,
      detail: wrong === undefined ? looked : `${more.length + 1} wrong, first: ${wrong}`,
    },
  ];
}

async function findFault(
  node: BitcoinNode,
  { txid, height, hash, mark }: MarkedBatch,
  dayOf: Map<string, string>,
): Promise<string | null> {
  if ((await node.getBlockHash(height)) !== hash) return `has left its block ${height}`;
  const found = await node.getRawTransaction(txid, hash);
  if (!found) return `is not in its block ${height}`;
  const [carried] = listMarksOf(readTransaction(found.hex));
  if (carried === undefined) return "carries no mark";
  const day = dayOf.get(carried);
  if (day === undefined) return `carries ${carried}, which these books give for no day`;
  return carried === mark ? null : `carries the digest of ${day}, and the books say another`;
}

const readTransaction = (hex: string) =>
  Transaction.fromRaw(hexToBytes(hex), { allowUnknownOutputs: true, disableScriptCheck: true });

/** Every batch that was mined and pays somebody, in the order in which they were built. */
function listMined(db: Db): Promise<MarkedBatch[]> {
  return readRows(
    db,
    sql`select b.day::text, v.txid, b.mined_height as height, b.mined_hash as hash, encode(v.mark, 'hex') as mark
          from withdrawal_batches b join withdrawal_batch_versions v on v.id = b.mined_version_id
         where b.chain = 'bitcoin' and b.state = 'settled' and cardinality(v.pays) > 0
         order by v.made_at, v.id`,
    columns,
  );
}
