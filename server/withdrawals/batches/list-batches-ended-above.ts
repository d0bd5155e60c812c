import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, desc, eq, exists, gt, isNotNull, or } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { withdrawalBatches, withdrawalPayments } from "../schema.ts";

const b = withdrawalBatches;
const p = withdrawalPayments;

/** Batches of which something ended in a block above a height, newest first. */
export function listBatchesEndedAbove(db: Db, chain: WalletChain, height: number) {
  const ofBatch = and(eq(p.batchId, b.id), isNotNull(p.endedAt), gt(p.minedHeight, height));
  const isOfPayment = exists(db.select({ id: p.batchId }).from(p).where(ofBatch));
  const isOfBatch = and(isNotNull(b.endedAt), gt(b.minedHeight, height));
  return db
    .select({ id: b.id, day: b.day })
    .from(b)
    .where(and(eq(b.chain, chain), or(isOfBatch, isOfPayment)))
    .orderBy(desc(b.formedAt))
    .limit(50);
}
