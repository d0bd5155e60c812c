import { and, asc, desc, eq, gt, or, sql } from "#server/platform/sql.ts";
import { chainPayments, depositAddresses } from "../../chain/schema.ts";
import type { Db } from "../../platform/database.ts";

const p = chainPayments;

export const paymentColumns = {
  id: p.id,
  chain: p.chain,
  txid: p.txid,
  outputIndex: p.outputIndex,
  asset: p.asset,
  address: p.address,
  units: p.units,
  coinbase: p.coinbase,
  state: p.state,
  blockHeight: p.blockHeight,
  blockHash: p.blockHash,
  blockTime: p.blockTime,
  seenAt: p.seenAt,
  changedAt: p.changedAt,
  orphanedAt: p.orphanedAt,
  settledAt: p.settledAt,
  /** Why it could not be settled the last time. */
  refusal: p.refusal,
  refusedAt: p.refusedAt,
  resolvedAs: p.resolvedAs,
  confirmations: sql<number>`chain_confirmations(chain_payments)`,
  /** Whether the chain calls its block final. */
  isFinal: sql<boolean>`chain_is_final(chain_payments)`,
  /** The deposit that it is counted as, or was when it was taken back; null: none yet. */
  depositId: sql<string | null>`(
    select c.id from deposits c
     where c.txid = ${p.txid} and (c.output_index is null or c.output_index = ${p.outputIndex})
       and (c.payment_id is null or c.payment_id = ${p.id})
     order by c.reversal_id is not null, c.created_at desc limit 1)`,
};

/** How long a payment that came to nothing, or was credited, is still shown among those on their way. */
const shownForHours = 24;

/** A customer's payments that are on their way, and what became of those of the last day; newest first. */
export function listPayments(
  db: Db,
  { customerId, now, limit = 20 }: { customerId: string; now: Date; limit?: number },
) {
  const recent = new Date(now.getTime() - shownForHours * 3_600_000);
  return selectPayments(db)
    .where(
      and(
        eq(depositAddresses.customerId, customerId),
        or(
          gt(p.changedAt, recent),
          gt(p.settledAt, recent),
          sql`${p.state} = 'seen' or (${p.state} = 'mined' and ${p.settledAt} is null)`,
        ),
      ),
    )
    .orderBy(desc(p.seenAt), desc(p.id))
    .limit(limit);
}

export type CustomerPayment = Awaited<ReturnType<typeof listPayments>>[number];

/** What a transaction paid to a customer, output by output. */
export function listPaymentsOfTransaction(db: Db, customerId: string, txid: string) {
  return selectPayments(db)
    .where(and(eq(depositAddresses.customerId, customerId), eq(p.txid, txid)))
    .orderBy(asc(p.outputIndex))
    .limit(20);
}

function selectPayments(db: Db) {
  return db
    .select(paymentColumns)
    .from(p)
    .innerJoin(depositAddresses, eq(depositAddresses.address, p.address));
}
