import { and, asc, eq, gt, inArray, isNotNull } from "#server/platform/sql.ts";
import { chainReorgs } from "../../chain/schema.ts";
import type { Db } from "../../platform/database.ts";
import {
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawalPayments,
  withdrawalTransactions,
} from "../schema.ts";

const b = withdrawalBatches;
const v = withdrawalBatchVersions;
const p = withdrawalPayments;
const r = chainReorgs;

/** What had settled in a block of Bitcoin that left the chain after a moment, as it was signed, the oldest first. */
export function listLeftOnBitcoin(db: Db, since: Date): Promise<Array<{ raw: Uint8Array | null }>> {
  const hasLeft = and(eq(r.chain, "bitcoin"), gt(r.foundAt, since), gt(r.foundAt, b.endedAt));
  return db
    .selectDistinct({ raw: v.raw, formedAt: b.formedAt })
    .from(b)
    .innerJoin(v, eq(v.id, b.minedVersionId))
    .innerJoin(r, and(hasLeft, gt(b.minedHeight, r.forkHeight)))
    .where(and(eq(b.chain, "bitcoin"), eq(b.state, "settled"), isNotNull(v.raw)))
    .orderBy(asc(b.formedAt));
}

/** The same of Ethereum, by nonce: what has paid, and what took a nonce and paid nobody. */
export function listLeftOnEthereum(
  db: Db,
  since: Date,
): Promise<Array<{ raw: Uint8Array | null }>> {
  const t = withdrawalTransactions;
  const hasLeft = and(eq(r.chain, "ethereum"), gt(r.foundAt, since), gt(r.foundAt, p.endedAt));
  return db
    .selectDistinct({ raw: t.raw, nonce: p.nonce })
    .from(p)
    .innerJoin(t, and(eq(t.withdrawalId, p.withdrawalId), eq(t.txid, p.minedTxid)))
    .innerJoin(r, and(hasLeft, gt(p.minedHeight, r.forkHeight)))
    .where(and(inArray(p.outcome, ["paid", "voided"]), isNotNull(t.raw)))
    .orderBy(asc(p.nonce));
}
