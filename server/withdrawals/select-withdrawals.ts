import { sql } from "#server/platform/sql.ts";
import { withdrawalHolds, withdrawals } from "./schema.ts";

const w = withdrawals;
const h = withdrawalHolds;

/**
 * The transaction that pays a withdrawal: the one that was mined, else the last one that was sent. The outer table is named in
 * full: where it is the only one of a select, Drizzle writes its columns without it, and the inner tables have such columns, too.
 */
export const txid = sql<string | null>`coalesce((
  select coalesce(p.mined_txid, (
    select t.txid from withdrawal_transactions t join withdrawal_batch_versions v on v.id = t.version_id
     where t.withdrawal_id = p.withdrawal_id and t.pays and t.sent_at is not null order by v.number desc limit 1))
    from withdrawal_payments p where p.withdrawal_id = withdrawals.id and p.outcome is distinct from 'overtaken'), (
  select v.txid from withdrawal_batch_versions v
   where v.batch_id = withdrawals.batch_id and withdrawals.id = any (v.pays) and v.sent_at is not null
   order by v.id = (select b.mined_version_id from withdrawal_batches b where b.id = withdrawals.batch_id) desc nulls last, v.number desc
   limit 1))`;

/** What has left or ended is held no longer, however late its hold would have ended. */
export const heldUntil = (at: Date) =>
  sql<Date | null>`(
  select max(hold.ends_at) from withdrawal_holds hold
   where withdrawals.state in ('requested', 'confirmed', 'approved') and hold.withdrawal_id = withdrawals.id and hold.lifted_at is null and hold.ends_at > ${at.toISOString()}::timestamptz)`.mapWith(
    h.endsAt,
  );

/** When the node said that an approved withdrawal would fail; null: it did not. */
export const failedAt = sql<Date | null>`(
  select failing.said_at from failing_withdrawals failing
   where withdrawals.state = 'approved' and failing.withdrawal_id = withdrawals.id)`.mapWith(
  h.endsAt,
);

export const columns = {
  id: w.id,
  customerId: w.customerId,
  asset: w.asset,
  address: w.address,
  units: w.units,
  feeUnits: w.feeUnits,
  isFinal: w.isFinal,
  usdCents: w.usdCents,
  requestedAt: w.requestedAt,
  payableFrom: w.payableFrom,
  dueOn: w.dueOn,
  confirmBy: w.confirmBy,
  state: w.state,
  confirmedAt: w.confirmedAt,
  approvedAt: w.approvedAt,
  batchId: w.batchId,
  broadcastAt: w.broadcastAt,
  endedAt: w.endedAt,
  endedBy: w.endedBy,
  reason: w.reason,
  requestTransferId: w.requestTransferId,
  endTransferId: w.endTransferId,
  txid,
};
