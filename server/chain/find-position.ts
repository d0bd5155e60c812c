import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { chainBlocks, chainPositions } from "./schema.ts";

/** Up to where a chain was read; null: not begun. */
export async function findPosition(db: Db | Tx, chain: WalletChain) {
  const [position] = await db
    .select({
      beganAtHeight: chainPositions.beganAtHeight,
      height: chainPositions.height,
      hash: chainPositions.hash,
      blockTime: chainPositions.blockTime,
      readAt: chainPositions.readAt,
      finalizedHeight: chainPositions.finalizedHeight,
      bits: chainBlocks.bits,
    })
    .from(chainPositions)
    .leftJoin(
      chainBlocks,
      and(
        eq(chainBlocks.chain, chainPositions.chain),
        eq(chainBlocks.height, chainPositions.height),
      ),
    )
    .where(eq(chainPositions.chain, chain));
  return position ?? null;
}

export type Position = NonNullable<Awaited<ReturnType<typeof findPosition>>>;
