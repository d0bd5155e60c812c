import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq, gte, lte } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { chainBlocks } from "./schema.ts";
import { SourceIncident } from "./source-health.ts";

/** A block that was read for deposits. */
export type BlockRead = Pick<typeof chainBlocks.$inferSelect, "hash" | "bits">;

/** The blocks of a chain that were read for deposits and are still remembered, by height; both ends included. */
export async function findBlocksRead(
  db: Db,
  of: WalletChain,
  { from, to }: { from: number; to: number },
): Promise<Map<number, BlockRead>> {
  const { chain, height, hash, bits } = chainBlocks;
  const isWithin = and(eq(chain, of), gte(height, from), lte(height, to));
  const blocks = await db.select({ height, hash, bits }).from(chainBlocks).where(isWithin);
  return new Map(blocks.map((block) => [block.height, block]));
}

/**
 * What was read of a block; undefined where nothing was.
 *
 * @throws SourceIncident `behind` where another block was read at that height
 */
export function agree(
  { height, hash }: { height: number; hash: string },
  known: BlockRead | undefined,
): BlockRead | undefined {
  if (known && known.hash !== hash) {
    throw new SourceIncident("behind", `block ${height} is not the one that was read for deposits`);
  }
  return known;
}
