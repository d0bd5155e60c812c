import { and, eq, lt } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import type { BlockBefore } from "./check-block.ts";
import { matchOutputs } from "./match-outputs.ts";
import type { ParsedBlock } from "./parse-block.ts";
import { recordPayments } from "./record-payments.ts";
import { chainBlocks, chainPositions } from "./schema.ts";

/** How many of the newest blocks are remembered: a branch that leaves further down is looked at by a person. */
export const rememberedBlocks = 200;

/**
 * Takes the block that follows the last one that was read: its payments, and the new position, in one transaction. False,
 * and nothing done, when somebody has read on meanwhile.
 */
export async function recordBlock(
  db: Db,
  block: ParsedBlock,
  before: BlockBefore,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isBitcoin = eq(chainPositions.chain, "bitcoin");
    const [position] = await tx.select().from(chainPositions).where(isBitcoin).for("update");
    if (position?.hash !== before.hash || position.height !== before.height) return false;
    const height = before.height + 1;
    await tx
      .insert(chainBlocks)
      .values({ chain: "bitcoin", height, hash: block.hash, bits: block.bits });
    const place = { height, hash: block.hash, time: block.time };
    await recordPayments(tx, await matchOutputs(tx, block.transactions), place, now);
    await tx
      .update(chainPositions)
      .set({ height, hash: block.hash, blockTime: block.time, readAt: now })
      .where(isBitcoin);
    await tx
      .delete(chainBlocks)
      .where(
        and(eq(chainBlocks.chain, "bitcoin"), lt(chainBlocks.height, height - rememberedBlocks)),
      );
    return true;
  });
}
