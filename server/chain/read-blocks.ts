import type { Network } from "#core/address.ts";
import { and, eq, gte, lte } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { BitcoinNode } from "./bitcoin-node.ts";
import type { BlockBefore } from "./chain-reader.ts";
import { checkBlock } from "./check-block.ts";
import { chainBlocks } from "./schema.ts";
import { SourceTrouble } from "./source-condition.ts";

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
 * @throws SourceTrouble `lying`, `behind`
 * @throws NodeError
 */
export async function* readBlocks(db: Db, node: BitcoinNode, { network, from, to }: Range) {
  const known = await knownBlocks(db, from - 1, to);
  const first = await node.getBlockHash(from - 1);
  if (first === null) return;
  let before: BlockBefore = { height: from - 1, hash: first, bits: null };
  before = { ...before, bits: agree(before, known.get(before.height)) };
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

type Known = Pick<typeof chainBlocks.$inferSelect, "hash" | "bits">;

async function knownBlocks(db: Db, from: number, to: number): Promise<Map<number, Known>> {
  const { chain, height, hash, bits } = chainBlocks;
  const isWithin = and(eq(chain, "bitcoin"), gte(height, from), lte(height, to));
  const blocks = await db.select({ height, hash, bits }).from(chainBlocks).where(isWithin);
  return new Map(blocks.map((block) => [block.height, block]));
}

/** The target of a block as far as it is known. */
function agree({ height, hash }: { height: number; hash: string }, known: Known | undefined) {
  if (known && known.hash !== hash) {
    throw new SourceTrouble("behind", `block ${height} is not the one that was read for deposits`);
  }
  return known?.bits ?? null;
}
