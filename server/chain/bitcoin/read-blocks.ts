import type { Network } from "#core/payments/address.ts";
import type { Db } from "../../platform/database.ts";
import { agree, findBlocksRead } from "../blocks-read.ts";
import type { BlockBefore } from "../chain-reader.ts";
import type { BitcoinNode } from "./bitcoin-node.ts";
import { checkBlock } from "./check-block.ts";

interface Range {
  network: Network;
  /** Above the first block of the chain. */
  from: number;
  to: number;
}

/**
 * Reads blocks of a Bitcoin node for another purpose than deposits, and believes them no sooner: each is checked as those are,
 * follows the one before, and is the one that was read for deposits where its height was. A branch that was not left yet ends
 * the reading: whoever reads again in a minute knows more.
 *
 * @throws SourceIncident `lying`, `behind`
 * @throws NodeError
 */
export async function* readBlocks(db: Db, node: BitcoinNode, { network, from, to }: Range) {
  const known = await findBlocksRead(db, "bitcoin", { from: from - 1, to });
  const first = await node.getBlockHash(from - 1);
  if (first === null) return;
  let before: BlockBefore = { height: from - 1, hash: first, bits: null };
  before = { ...before, bits: agree(before, known.get(before.height))?.bits ?? null };
  while (before.height < to) {
    const height = before.height + 1;
    const hash = await node.getBlockHash(height);
    if (hash === null) return;
    agree({ height, hash }, known.get(height));
    const bytes = await node.getBlock(hash);
    const { bits } = checkBlock(bytes, { hash, before, network });
    yield { height, hash, bytes };
    before = { height, hash, bits };
  }
}
