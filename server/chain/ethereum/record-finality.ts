import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import type { KnownBlock } from "../chain-reader.ts";
import { chainBlocks, chainPositions } from "../schema.ts";
import { SourceIncident } from "../source-health.ts";

/**
 * Notes the newest block that the chain calls final, once it was read. What is older than the blocks that are remembered is
 * not noted; a source that knows of less than we did changes nothing.
 *
 * @throws SourceIncident `lying` when it calls another block final than the one in its own chain
 */
export async function recordFinality(
  db: Db,
  chain: WalletChain,
  { height, hash }: KnownBlock,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isOurs = eq(chainPositions.chain, chain);
    const [position] = await tx.select().from(chainPositions).where(isOurs).for("update");
    if (!position || height > position.height) return;
    if (position.finalizedHeight !== null && height < position.finalizedHeight) return;
    const [read] = await tx
      .select({ hash: chainBlocks.hash })
      .from(chainBlocks)
      .where(and(eq(chainBlocks.chain, chain), eq(chainBlocks.height, height)));
    if (!read) return;
    if (read.hash !== hash) {
      throw new SourceIncident("lying", `it calls another block ${height} final than it has`);
    }
    if (height === position.finalizedHeight) return;
    await tx
      .update(chainPositions)
      .set({ finalizedHeight: height, finalizedHash: hash })
      .where(isOurs);
  });
}
