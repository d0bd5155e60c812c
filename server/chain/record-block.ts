import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq, lt } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { BlockBefore, ReadBlock } from "./chain-reader.ts";
import { recordPayments } from "./record-payments.ts";
import { chainBlocks, chainPositions } from "./schema.ts";

/**
 * How many of the newest blocks are remembered: a branch that leaves further down is looked at by a person. Ethereum's are
 * remembered until they are final, which has taken hours: these are 17.
 */
const rememberedBlocks: Record<WalletChain, number> = { bitcoin: 200, ethereum: 5_000 };

/**
 * Takes the block that follows the last one that was read: its payments, and the new position, in one transaction. False,
 * and nothing done, when somebody has read on meanwhile.
 */
export async function recordBlock(
  db: Db,
  chain: WalletChain,
  block: ReadBlock,
  before: BlockBefore,
  now: Date,
): Promise<boolean> {
  const payments = await block.findPayments(db);
  return db.transaction(async (tx) => {
    const isOurs = eq(chainPositions.chain, chain);
    const [position] = await tx.select().from(chainPositions).where(isOurs).for("update");
    if (position?.hash !== before.hash || position.height !== before.height) return false;
    const height = before.height + 1;
    await tx.insert(chainBlocks).values({ chain, height, hash: block.hash, bits: block.bits });
    const place = { height, hash: block.hash, time: block.time };
    await recordPayments(tx, chain, payments, place, now);
    await tx
      .update(chainPositions)
      .set({ height, hash: block.hash, blockTime: block.time, readAt: now })
      .where(isOurs);
    await tx
      .delete(chainBlocks)
      .where(
        and(eq(chainBlocks.chain, chain), lt(chainBlocks.height, height - rememberedBlocks[chain])),
      );
    return true;
  });
}
