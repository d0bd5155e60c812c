import type { WithdrawalState } from "#core/payments/withdrawal.ts";
import { openWithdrawalStates } from "#core/payments/withdrawal.ts";
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  ilike,
  inArray,
  isNotNull,
  isNull,
  min,
  ne,
  or,
  sql,
} from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { operators, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import {
  withdrawalAddresses,
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawalHolds,
  withdrawalPayments,
  withdrawalRulings,
  withdrawals,
} from "./schema.ts";
import { isUuid } from "./withdrawal.ts";

const w = withdrawals;
const h = withdrawalHolds;
const a = withdrawalAddresses;
const p = withdrawalPayments;

/** What a customer has asked for within 30 days and was not given back, in cents, each at the price of its day. */
export async function sumWithdrawnUsdCents(
  db: Db | Tx,
  customerId: string,
  now: Date,
): Promise<bigint> {
  const since = new Date(now.getTime() - 30 * 86_400_000);
  const [sum] = await db
    .select({ cents: sql<string>`coalesce(sum(${w.usdCents}), 0)` })
    .from(w)
    .where(
      and(
        eq(w.customerId, customerId),
        gt(w.requestedAt, since),
        inArray(w.state, [...openWithdrawalStates, "settled"]),
        eq(w.isFinal, false),
      ),
    );
  return BigInt(sum?.cents ?? 0);
}

/** A customer's address book, the newest first. */
export function listAddresses(db: Db, customerId: string) {
  return db
    .select({
      addressId: a.id,
      asset: a.asset,
      address: a.address,
      label: a.label,
      addedAt: a.addedAt,
      usableFrom: a.usableFrom,
    })
    .from(a)
    .where(and(eq(a.customerId, customerId), isNull(a.removedAt)))
    .orderBy(desc(a.addedAt), desc(a.id));
}

/**
 * The transaction that pays a withdrawal: the one that was mined, else the last one that was sent. The outer table is named in
 * full: where it is the only one of a select, Drizzle writes its columns without it, and the inner tables have such columns, too.
 */
const txid = sql<string | null>`coalesce((
  select coalesce(p.mined_txid, (
    select t.txid from withdrawal_transactions t join withdrawal_batch_versions v on v.id = t.version_id
     where t.withdrawal_id = p.withdrawal_id and t.pays and t.sent_at is not null order by v.number desc limit 1))
    from withdrawal_payments p where p.withdrawal_id = withdrawals.id and p.outcome is distinct from 'overtaken'), (
  select v.txid from withdrawal_batch_versions v
   where v.batch_id = withdrawals.batch_id and withdrawals.id = any (v.pays) and v.sent_at is not null
   order by v.id = (select b.mined_version_id from withdrawal_batches b where b.id = withdrawals.batch_id) desc nulls last, v.number desc
   limit 1))`;

/** What has left or ended is held no longer, however late its hold would have ended. */
const heldUntil = (at: Date) =>
  sql<Date | null>`(
  select max(hold.ends_at) from withdrawal_holds hold
   where withdrawals.state in ('requested', 'confirmed', 'approved') and hold.withdrawal_id = withdrawals.id and hold.lifted_at is null and hold.ends_at > ${at.toISOString()}::timestamptz)`.mapWith(
    h.endsAt,
  );

const columns = {
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

export interface WithdrawalListing {
  search?: string | undefined;
  page: number;
  show: number;
}

/** A page of a customer's withdrawals, newest first, with what was sent and what is on its way. */
export async function listWithdrawals(
  db: Db,
  customerId: string,
  { search, page, show }: WithdrawalListing,
  now: Date,
) {
  const words = search?.trim();
  const like = words ? `%${words.replace(/[\\%_]/g, "\\$&")}%` : null;
  const matches = and(
    eq(w.customerId, customerId),
    like
      ? or(
          ilike(w.address, like),
          ilike(w.asset, like),
          ilike(w.state, like),
          sql`${w.id}::text ilike ${like}`,
        )
      : undefined,
  );
  const sums = await db
    .select({
      asset: w.asset,
      total: count(),
      sentUnits: sql<string>`coalesce(sum(${w.units} - ${w.feeUnits}) filter (where ${w.state} = 'settled'), 0)`,
    })
    .from(w)
    .where(matches)
    .groupBy(w.asset)
    .orderBy(asc(w.asset));
  const total = sums.reduce((sum, each) => sum + each.total, 0);
  const shown = Math.min(page, Math.max(1, Math.ceil(total / show)));
  const rows = await db
    .select({ ...columns, heldUntil: heldUntil(now) })
    .from(w)
    .where(matches)
    .orderBy(desc(w.requestedAt), desc(w.id))
    .limit(show)
    .offset((shown - 1) * show);
  const sent = sums.map(({ asset, sentUnits }) => ({ asset, units: BigInt(sentUnits) }));
  return { withdrawals: rows, total, page: shown, sent };
}
export type WithdrawalPage = Awaited<ReturnType<typeof listWithdrawals>>;

/** One withdrawal with its holds and where its batch stands; null when there is none, or it is somebody else's. */
export async function findWithdrawal(
  db: Db,
  { withdrawalId, customerId }: { withdrawalId: string; customerId?: string },
) {
  if (!isUuid(withdrawalId)) return null;
  const whose = customerId === undefined ? undefined : eq(w.customerId, customerId);
  const b = withdrawalBatches;
  const [found] = await db
    .select({
      ...columns,
      customerName: users.name,
      customerEmail: users.email,
      approvedBy: w.approvedBy,
      batchState: b.state,
      batchDay: b.day,
      batchedAt: b.formedAt,
      minedHeight: sql<number | null>`coalesce(${b.minedHeight}, ${p.minedHeight})`,
    })
    .from(w)
    .innerJoin(users, eq(users.id, w.customerId))
    .leftJoin(b, eq(b.id, w.batchId))
    .leftJoin(p, eq(p.withdrawalId, w.id))
    .where(and(eq(w.id, withdrawalId), whose));
  if (!found) return null;
  const holds = await db
    .select({
      id: h.id,
      reason: h.reason,
      placedAt: h.placedAt,
      endsAt: h.endsAt,
      liftedAt: h.liftedAt,
      owner: users.firstName,
      ownerName: users.name,
    })
    .from(h)
    .innerJoin(operators, eq(operators.id, h.placedBy))
    .innerJoin(users, eq(users.id, operators.id))
    .where(eq(h.withdrawalId, withdrawalId))
    .orderBy(asc(h.placedAt));
  return { ...found, holds };
}
export type WithdrawalCase = NonNullable<Awaited<ReturnType<typeof findWithdrawal>>>;

/** What is odd about a withdrawal's payment, and what people said of it, the newest first; null: nothing ever was. */
export async function findOddPayment(db: Db, withdrawalId: string) {
  const [payment] = await db
    .select({ fault: p.fault, txid: p.minedTxid, endedAt: p.endedAt })
    .from(p)
    .where(and(eq(p.withdrawalId, withdrawalId), isNotNull(p.fault)));
  if (!payment) return null;
  const r = withdrawalRulings;
  const deciders = alias(users, "deciders");
  const rulings = await db
    .select({
      ...{ id: r.id, txid: r.txid, says: r.says, reason: r.reason, state: r.state },
      ...{ proposedBy: r.proposedBy, proposerName: users.name, proposedAt: r.proposedAt },
      ...{ deciderName: deciders.name, decidedAt: r.decidedAt },
    })
    .from(r)
    .innerJoin(users, eq(users.id, r.proposedBy))
    .leftJoin(deciders, eq(deciders.id, r.decidedBy))
    .where(eq(r.withdrawalId, withdrawalId))
    .orderBy(desc(r.proposedAt), desc(r.id));
  return { ...payment, rulings };
}
export type OddPayment = NonNullable<Awaited<ReturnType<typeof findOddPayment>>>;

/** The groups that staff look at: what waits for whom. */
export const withdrawalQueues = {
  confirmed: ["confirmed"],
  requested: ["requested"],
  approved: ["approved"],
  leaving: ["batched", "broadcast"],
  settled: ["settled"],
  ended: ["cancelled", "rejected", "returned"],
} as const satisfies Record<string, WithdrawalState[]>;
export type WithdrawalQueue = keyof typeof withdrawalQueues;

const isOdd = sql<boolean>`coalesce(${p.fault} is not null and ${p.endedAt} is null, false)`;

/** What staff decide: whether it may leave, and what becomes of a payment of which something is odd. */
const toDecide = or(
  eq(w.state, "confirmed"),
  and(inArray(w.state, withdrawalQueues.leaving), isNotNull(p.fault), isNull(p.endedAt)),
);

/** Withdrawals of one group: those under way the oldest first, those that have ended the newest first. */
export function listWithdrawalQueue(
  db: Db | Tx,
  listing: { queue: WithdrawalQueue; search: string; after?: string | undefined; limit: number },
  now: Date,
) {
  const { queue, search, after, limit } = listing;
  const isDone = queue === "settled" || queue === "ended";
  const like = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  const key = isDone ? w.endedAt : w.requestedAt;
  const seen =
    after && isUuid(after)
      ? sql`(${key}, ${w.id}) ${sql.raw(isDone ? "<" : ">")} (
          select ${sql.raw(isDone ? "ended_at" : "requested_at")}, id from withdrawals where id = ${after}::uuid)`
      : undefined;
  return db
    .select({
      ...columns,
      heldUntil: heldUntil(now),
      customerName: users.name,
      customerEmail: users.email,
      isOdd,
    })
    .from(w)
    .innerJoin(users, eq(users.id, w.customerId))
    .leftJoin(p, eq(p.withdrawalId, w.id))
    .where(
      and(
        queue === "confirmed" ? toDecide : inArray(w.state, withdrawalQueues[queue]),
        search
          ? or(ilike(users.name, like), ilike(users.email, like), ilike(w.address, like))
          : undefined,
        seen,
      ),
    )
    .orderBy(...(isDone ? [desc(w.endedAt), desc(w.id)] : [asc(w.requestedAt), asc(w.id)]))
    .limit(limit);
}
export type QueuedWithdrawal = Awaited<ReturnType<typeof listWithdrawalQueue>>[number];

/** The oldest one that waits for an approver, other than this. */
export async function findNextWithdrawal(db: Db, exceptId: string): Promise<string | null> {
  const [next] = await db
    .select({ id: w.id })
    .from(w)
    .where(and(eq(w.state, "confirmed"), ne(w.id, exceptId)))
    .orderBy(asc(w.requestedAt), asc(w.id))
    .limit(1);
  return next?.id ?? null;
}

/** A customer's newest withdrawals, for staff. */
export function listWithdrawalsOf(db: Db, customerId: string, limit: number) {
  return db
    .select(columns)
    .from(w)
    .where(eq(w.customerId, customerId))
    .orderBy(desc(w.requestedAt), desc(w.id))
    .limit(limit);
}

export interface WithdrawalFigures {
  /** From the request to the transaction's broadcast, of what was sent in the last 90 days; null: nothing was. */
  medianHours: number | null;
  p95Hours: number | null;
  sent: number;
  /** The oldest one that its customer has confirmed and that is not sent. */
  oldestOpenAt: Date | null;
}

/** How long customers wait, for everybody to read. */
export async function getWithdrawalFigures(db: Db, now: Date): Promise<WithdrawalFigures> {
  const since = new Date(now.getTime() - 90 * 86_400_000);
  const hours = sql`extract(epoch from ${w.broadcastAt} - ${w.requestedAt}) / 3600`;
  const [paid] = await db
    .select({
      sent: count(),
      median: sql<number | null>`percentile_cont(0.5) within group (order by ${hours})`,
      p95: sql<number | null>`percentile_cont(0.95) within group (order by ${hours})`,
    })
    .from(w)
    .where(and(gt(w.broadcastAt, since), ne(w.state, "returned")));
  const [open] = await db
    .select({ oldestAt: min(w.requestedAt) })
    .from(w)
    .where(inArray(w.state, ["confirmed", "approved", "batched"]));
  const round = (value: number | null | undefined) =>
    value === null || value === undefined ? null : Math.round(Number(value) * 10) / 10;
  return {
    medianHours: round(paid?.median),
    p95Hours: round(paid?.p95),
    sent: paid?.sent ?? 0,
    oldestOpenAt: open?.oldestAt ?? null,
  };
}

/** Where a version stands, for the tests and pages of batches. */
export function listVersions(db: Db, batchId: string) {
  const v = withdrawalBatchVersions;
  return db.select().from(v).where(eq(v.batchId, batchId)).orderBy(asc(v.number));
}
