import { isUuid } from "#core/is-uuid.ts";
import { asc, desc, eq, type SQL, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { chainReorgs, wallets } from "../../chain/schema.ts";
import { users } from "../../identity/schema.ts";
import type { Db } from "../../platform/database.ts";
import {
  withdrawalAbandonments,
  withdrawalBatches,
  withdrawalBatchIncidents,
  withdrawalBatchVersions,
  withdrawalPayments,
  withdrawals,
} from "../schema.ts";
import { ending } from "./list-batches.ts";

const b = withdrawalBatches;
const v = withdrawalBatchVersions;
const w = withdrawals;
const p = withdrawalPayments;
const t = withdrawalBatchIncidents;
const r = chainReorgs;
const formers = alias(users, "formers");

/** Since when something that a batch had paid is no longer in its block; null: as far as is known all of it is. */
const leftItsBlockAt: SQL<Date | null> = sql`(
  select max(r.found_at) from chain_reorgs r
   where r.chain = ${b.chain}
     and (${b.minedHeight} > r.fork_height and r.found_at > ${b.endedAt}
          or exists (select from withdrawal_payments p
                      where p.batch_id = ${b.id} and p.mined_height > r.fork_height and r.found_at > p.ended_at)))`.mapWith(
  r.foundAt,
);

/** A batch with its versions, the newest first, and its withdrawals; null when there is none. */
export async function findBatch(db: Db, batchId: string) {
  if (!isUuid(batchId)) return null;
  const [batch] = await db
    .select({
      id: b.id,
      day: b.day,
      state: b.state,
      ending,
      purpose: b.purpose,
      needsTwo: b.needsTwo,
      chain: b.chain,
      anchorTxid: b.anchorTxid,
      anchorVout: b.anchorVout,
      changeIndex: b.changeIndex,
      /** The wallet that pays; null: on Ethereum. */
      wallet: { descriptor: wallets.descriptor, network: wallets.network },
      chainId: b.chainId,
      hotWallet: b.hotWallet,
      formedBy: b.formedBy,
      formerName: formers.name,
      formedAt: b.formedAt,
      broadcastAt: b.broadcastAt,
      minedHeight: b.minedHeight,
      minedHash: b.minedHash,
      minedVersionId: b.minedVersionId,
      endedAt: b.endedAt,
      anchorGoneHeight: b.anchorGoneHeight,
      searchedHeight: b.searchedHeight,
      /** Whether people may end it, since no version of it can be mined. */
      isLost: sql<boolean>`${b.endedAt} is null and may_be_abandoned(withdrawal_batches)`,
      leftItsBlockAt,
    })
    .from(b)
    .innerJoin(formers, eq(formers.id, b.formedBy))
    .leftJoin(wallets, eq(wallets.id, b.walletId))
    .where(eq(b.id, batchId));
  if (!batch) return null;
  const makers = alias(users, "makers");
  const signers = alias(users, "signers");
  const orderers = alias(users, "orderers");
  const versions = await db
    .select({
      id: v.id,
      number: v.number,
      feePerKvb: v.feePerKvb,
      maxFeePerGas: v.maxFeePerGas,
      maxPriorityFeePerGas: v.maxPriorityFeePerGas,
      feeUnits: v.feeUnits,
      changeUnits: v.changeUnits,
      spends: v.spends,
      pays: v.pays,
      txid: v.txid,
      /** The data of the output that carries a digest, in hexadecimal; null: there is none. */
      mark: sql<string | null>`encode(substr(mark_output(${v.mark}), 12), 'hex')`,
      reason: v.reason,
      madeBy: v.madeBy,
      makerName: makers.name,
      madeAt: v.madeAt,
      signerName: signers.name,
      signedAt: v.signedAt,
      ordererName: orderers.name,
      orderedAt: v.orderedAt,
      sentAt: v.sentAt,
      fault: v.fault,
    })
    .from(v)
    .innerJoin(makers, eq(makers.id, v.madeBy))
    .leftJoin(signers, eq(signers.id, v.signedBy))
    .leftJoin(orderers, eq(orderers.id, v.orderedBy))
    .where(eq(v.batchId, batchId))
    .orderBy(desc(v.number));
  const paid = await listPaid(db, batchId);
  const [incident] = await db.select().from(t).where(eq(t.batchId, batchId));
  const abandonments = await listAbandonments(db, batchId);
  return { ...batch, versions, withdrawals: paid, incident: incident ?? null, abandonments };
}

export type BatchCase = NonNullable<Awaited<ReturnType<typeof findBatch>>>;

/** The withdrawals of a batch, the oldest first. */
function listPaid(db: Db, batchId: string) {
  return db
    .select({
      id: w.id,
      asset: w.asset,
      address: w.address,
      units: w.units,
      feeUnits: w.feeUnits,
      state: w.state,
      customerId: w.customerId,
      customerName: users.name,
      nonce: p.nonce,
      outcome: p.outcome,
      fault: p.fault,
      minedHeight: p.minedHeight,
      networkFeeUnits: p.feeUnits,
    })
    .from(w)
    .innerJoin(users, eq(users.id, w.customerId))
    .leftJoin(p, eq(p.withdrawalId, w.id))
    .where(eq(w.batchId, batchId))
    .orderBy(asc(w.requestedAt), asc(w.id));
}

/** What was proposed about ending a batch that cannot be mined, the newest first. */
function listAbandonments(db: Db, batchId: string) {
  const a = withdrawalAbandonments;
  const proposers = alias(users, "proposers");
  const deciders = alias(users, "deciders");
  return db
    .select({
      id: a.id,
      reason: a.reason,
      state: a.state,
      proposedBy: a.proposedBy,
      proposerName: proposers.name,
      proposedAt: a.proposedAt,
      deciderName: deciders.name,
      decidedAt: a.decidedAt,
    })
    .from(a)
    .innerJoin(proposers, eq(proposers.id, a.proposedBy))
    .leftJoin(deciders, eq(deciders.id, a.decidedBy))
    .where(eq(a.batchId, batchId))
    .orderBy(desc(a.proposedAt), desc(a.id));
}
