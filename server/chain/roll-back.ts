import { randomUUIDv7 } from "node:crypto";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq, gt } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { Fork } from "./find-fork.ts";
import type { Position } from "./find-position.ts";
import {
  chainBlocks,
  chainDeepReorgs,
  chainPayments,
  chainPositions,
  chainReorgs,
} from "./schema.ts";
import { lockPayments } from "./settle-payment.ts";

interface Leaving {
  position: Position;
  fork: Fork;
  /** By which two people let it go further than it goes by itself. */
  deepReorgId?: string;
}

/**
 * Goes back to the last block that the chain still has: payments in later ones are orphaned until another block holds
 * them. One transaction; nothing happens when somebody was quicker.
 */
export async function rollBack(
  db: Db,
  chain: WalletChain,
  { position, fork, deepReorgId }: Leaving,
  now: Date,
): Promise<{ payments: number } | null> {
  return db.transaction(async (tx) => {
    const isOurs = eq(chainPositions.chain, chain);
    const [current] = await tx.select().from(chainPositions).where(isOurs).for("update");
    if (current?.hash !== position.hash) return null;
    const leaving = and(
      eq(chainPayments.chain, chain),
      eq(chainPayments.state, "mined"),
      gt(chainPayments.blockHeight, fork.height),
    );
    await lockPayments(tx, leaving);
    const left = await tx
      .update(chainPayments)
      .set({
        state: "orphaned",
        blockHeight: null,
        blockHash: null,
        blockTime: null,
        changedAt: now,
        orphanedAt: now,
      })
      .where(leaving)
      .returning({ id: chainPayments.id });
    await tx
      .delete(chainBlocks)
      .where(and(eq(chainBlocks.chain, chain), gt(chainBlocks.height, fork.height)));
    // Of those that are no longer remembered it is one that a payment named, or the one before the first.
    await tx
      .insert(chainBlocks)
      .values({ chain, ...fork })
      .onConflictDoNothing();
    const wasFinal = current.finalizedHeight !== null && current.finalizedHeight > fork.height;
    await tx
      .update(chainPositions)
      .set({
        height: fork.height,
        hash: fork.hash,
        readAt: now,
        ...(wasFinal && { finalizedHeight: fork.height, finalizedHash: fork.hash }),
      })
      .where(isOurs);
    const reorgId = randomUUIDv7();
    await tx.insert(chainReorgs).values({
      id: reorgId,
      chain,
      forkHeight: fork.height,
      oldHeight: position.height,
      oldHash: position.hash,
      payments: left.length,
      foundAt: now,
    });
    if (deepReorgId) {
      await tx
        .update(chainDeepReorgs)
        .set({ state: "done", reorgId })
        .where(eq(chainDeepReorgs.id, deepReorgId));
    }
    return { payments: left.length };
  });
}
