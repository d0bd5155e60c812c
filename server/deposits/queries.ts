import type { Coin } from "#core/asset.ts";
import { coinOfMethod, type DepositStatus, depositStatus } from "#core/payments/deposit.ts";
import type { PaymentRuling } from "#core/payments/payment-ruling.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  not,
  or,
  type SQL,
  sql,
} from "#server/platform/sql.ts";
import { alias, union } from "#server/platform/tables.ts";
import { chainPayments, depositAddresses } from "../chain/schema.ts";
import { auditLog, customers, users } from "../identity/schema.ts";
import { prepared } from "../platform/database/prepared.ts";
import type { Db, Tx } from "../platform/database.ts";
import { isUuid } from "./deposit.ts";
import { depositSlipLikenesses, depositSlips, deposits, paymentRulings } from "./schema.ts";
import type { DraftSlip } from "./slips/keep-slip.ts";

const d = deposits;
const s = depositSlips;

/** Neither rejected nor taken back. What has no value yet adds nothing. */
const countsAsPaidIn = sql`${d.state} in ('pending', 'approved')`;

/** What a customer's deposits add up to. Rejected ones do not count. */
export interface DepositTotals {
  totalUsdCents: bigint;
  /** The part that waits for review. */
  pendingUsdCents: bigint;
  count: number;
  pendingCount: number;
}

export async function depositTotals(db: Db | Tx, customerId: string): Promise<DepositTotals> {
  const [totals] = await selectTotals(db, { customerId });
  return {
    totalUsdCents: BigInt(totals?.totalUsdCents ?? 0),
    pendingUsdCents: BigInt(totals?.pendingUsdCents ?? 0),
    count: totals?.count ?? 0,
    pendingCount: totals?.pendingCount ?? 0,
  };
}

const selectTotals = prepared((db) =>
  db
    .select({
      totalUsdCents: sql<string>`coalesce(sum(${d.usdCents}) filter (where ${countsAsPaidIn}), 0)`,
      pendingUsdCents: sql<string>`coalesce(sum(${d.usdCents}) filter (where ${d.state} = 'pending'), 0)`,
      count: sql<number>`(count(*) filter (where ${countsAsPaidIn}))::int`,
      pendingCount: sql<number>`(count(*) filter (where ${d.state} = 'pending'))::int`,
    })
    .from(d)
    .where(eq(d.customerId, sql.placeholder("customerId")))
    .prepare("deposits_totals"),
);

/** Another word as soon as one of a customer's deposits is another than before. */
export async function findDepositsMark(db: Db, customerId: string): Promise<string> {
  const [found] = await selectMark(db, { customerId });
  return found?.mark ?? "";
}

const selectMark = prepared((db) =>
  db
    .select({
      mark: sql<string>`md5(coalesce(string_agg(concat_ws(' ', ${d.id}, ${d.state}, ${d.usdCents}), ',' order by ${d.id}), ''))`,
    })
    .from(d)
    .where(eq(d.customerId, sql.placeholder("customerId")))
    .prepare("deposits_mark"),
);

/** A deposit as its customer sees it. */
export interface Deposit extends DepositRow {
  status: DepositStatus;
  /** The coin that the method brings. */
  asset: (typeof coinOfMethod)[keyof typeof coinOfMethod];
}
type DepositRow = Awaited<ReturnType<typeof selectDeposits>>[number];

const columns = {
  depositId: d.id,
  customerId: d.customerId,
  method: d.method,
  declaredOn: d.declaredOn,
  claimedUsdCents: d.claimedUsdCents,
  usdCents: d.usdCents,
  createdAt: d.createdAt,
  state: d.state,
  imageUrl: d.imageUrl,
  quantityUnits: d.quantityUnits,
  txid: d.txid,
  outputIndex: d.outputIndex,
  transferId: d.transferId,
  /** What the dollars rest on, by staff or by payment. */
  priceId: sql<string | null>`coalesce(${d.paymentPriceId}, ${d.priceId})`,
  rejectionReason: d.rejectionReason,
  reviewedAt: d.reviewedAt,
  paymentId: d.paymentId,
  confirmations: d.confirmations,
  finalized: d.finalized,
  orphanedAt: d.orphanedAt,
  heldUnits: d.heldUnits,
  reversalId: d.reversalId,
  rulingId: d.rulingId,
  /** Why two people said that it was approved by mistake; null: they did not. */
  mistake: sql<
    string | null
  >`(select ruling.reason from payment_rulings ruling where ruling.id = ${d.rulingId})`,
  /** What two people said of its payment; null: nothing. */
  ruledAs: sql<PaymentRuling | null>`(
    select p.ruled_as from chain_payments p
     where (p.id = ${d.paymentId} or ${d.paymentId} is null and p.txid = ${d.txid} and (${d.outputIndex} is null or p.output_index = ${d.outputIndex}))
       and p.ruled_as is not null limit 1)`,
  /** Null, like all of the slip's: a payment made the deposit by itself. */
  slipName: s.originalName,
  slipMediaType: s.mediaType,
  slipByteSize: s.byteSize,
  slipSha256: sql<string | null>`encode(${s.sha256}, 'hex')`,
};

function selectDeposits(db: Db | Tx, where: SQL | undefined) {
  return db.select(columns).from(d).leftJoin(s, eq(s.id, d.slipId)).where(where);
}

function asDeposit<Row extends DepositRow>(row: Row): Row & Pick<Deposit, "status" | "asset"> {
  return { ...row, status: depositStatus(row), asset: coinOfMethod[row.method] };
}

/** One deposit of a customer; null when it is not his. */
export async function findDeposit(
  db: Db | Tx,
  customerId: string,
  depositId: string,
): Promise<Deposit | null> {
  if (!isUuid(depositId)) return null;
  const [row] = await selectDeposits(db, and(eq(d.customerId, customerId), eq(d.id, depositId)));
  return row ? asDeposit(row) : null;
}

export const depositSorts = ["date", "method", "amount", "status", "id"] as const;
export type DepositSort = (typeof depositSorts)[number];

export interface DepositListing {
  /** Any part of id, method, amount, transaction id, status or date. */
  search?: string | undefined;
  sort?: DepositSort | undefined;
  direction?: "asc" | "desc" | undefined;
  /** From 1. */
  page?: number | undefined;
  show: number;
}

export interface DepositPage {
  deposits: Deposit[];
  page: number;
  /** Of all that match, not of this page. */
  total: number;
  /** The dollars of all that match and were not rejected. */
  totalUsdCents: bigint;
}

/** A customer's deposits, newest first unless sorted otherwise. Rows and totals are of one moment. */
export async function listDeposits(
  db: Db | Tx,
  customerId: string,
  listing: DepositListing,
): Promise<DepositPage> {
  const { show, page = 1 } = listing;
  const rows = await db
    .select({
      ...columns,
      total: sql<number>`(count(*) over ())::int`,
      totalUsdCents: sql<string>`coalesce(sum(${d.usdCents}) filter (where ${countsAsPaidIn}) over (), 0)`,
    })
    .from(d)
    .leftJoin(s, eq(s.id, d.slipId))
    .where(and(eq(d.customerId, customerId), matching(listing.search)))
    .orderBy(...order(listing))
    .limit(show)
    .offset((page - 1) * show);
  const [first] = rows;
  if (!first && page > 1) return listDeposits(db, customerId, { ...listing, page: 1 });
  return {
    deposits: rows.map(({ total: _, totalUsdCents: __, ...row }) => asDeposit(row)),
    page,
    total: first?.total ?? 0,
    totalUsdCents: BigInt(first?.totalUsdCents ?? 0),
  };
}

const statusText = sql`case when ${d.state} = 'rejected' then 'Rejected' when ${d.state} in ('orphaned', 'reversed') then 'Reversed' when ${d.imageUrl} <> '' then 'Approved' else 'Pending' end`;

/** Plain text search: a percent sign is a percent sign. Fields stand on lines, so no match spans two. */
function matching(search: string | undefined): SQL | undefined {
  // PostgreSQL keeps no zero bytes in texts, and takes none.
  const wanted = search?.replaceAll("\0", "").trim().slice(0, 200);
  if (!wanted) return undefined;
  const dollars = (cents: typeof d.usdCents) =>
    sql`'$' || to_char(${cents} / 100, 'FM999999990.00'), '$' || to_char(${cents} / 100, 'FM999,999,990.00')`;
  return sql`position(lower(${wanted}) in lower(concat_ws(E'\n', ${d.id}, ${d.method}, ${dollars(d.usdCents)},
    ${dollars(d.claimedUsdCents)}, ${d.txid}, ${statusText}, ${d.declaredOn}))) > 0`;
}

const sortKeys: Record<DepositSort, SQL[]> = {
  date: [sql`${d.declaredOn}`, sql`${d.createdAt}`],
  method: [sql`${d.method}`],
  amount: [sql`${d.usdCents}`],
  status: [statusText],
  id: [],
};

/** Ends with the id, so that no two rows change places between pages. */
function order({ sort = "date", direction = "desc" }: DepositListing): SQL[] {
  const directed = direction === "asc" ? asc : desc;
  return [...sortKeys[sort], sql`${d.id}`].map((key) => directed(key));
}

/** A slip that this customer uploaded and has not used yet; null when there is none, or it is given up. */
export async function findDraftSlip(
  db: Db | Tx,
  customerId: string,
  slipId: string,
): Promise<DraftSlip | null> {
  if (!isUuid(slipId)) return null;
  const [slip] = await db
    .select({
      slipId: s.id,
      name: s.originalName,
      mediaType: s.mediaType,
      byteSize: s.byteSize,
    })
    .from(s)
    .where(
      and(
        eq(s.id, slipId),
        eq(s.customerId, customerId),
        isNotNull(s.storedAt),
        isNull(s.submittedAt),
        isNull(s.discardedAt),
      ),
    );
  return slip ?? null;
}

const p = chainPayments;

const paymentColumns = {
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
  ruledAs: p.ruledAs,
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

/** The coin that a deposit's method brings. */
const coinOfDeposit = sql`coin_of(${d.method})`;

/** As `isCountedAs` has it. */
const isItsPayment = and(
  eq(p.txid, d.txid),
  eq(p.asset, coinOfDeposit),
  or(isNull(d.outputIndex), eq(p.outputIndex, d.outputIndex)),
  or(isNull(d.paymentId), eq(p.id, d.paymentId)),
);

interface Page {
  now: Date;
  limit: number;
}

/** Whether the customer has coins that can be taken back. */
const hasCoins = sql`exists (
  select from ledger_accounts a
   where a.owner_id = ${d.customerId} and a.account = 'available' and a.balance > 0
     and a.asset = ${coinOfDeposit})`;

/** Payments of deposits whose credit was to be taken back, and that count again. */
export function listReturnedPayments(
  db: Db,
  chain: WalletChain,
  { now, limit }: Page,
): Promise<Array<{ paymentId: string }>> {
  return db
    .select({ paymentId: p.id })
    .from(d)
    .innerJoin(p, isItsPayment)
    .where(
      and(
        ...[eq(p.chain, chain), eq(d.state, "orphaned"), isNull(d.rulingId)],
        ...[p.counts, lte(p.askAt, now)],
      ),
    )
    .orderBy(asc(p.askAt), asc(p.id))
    .limit(limit);
}

/** Payments that staff approved by hand and that never got their confirmations, or were the operator's own. */
export function listLostPayments(
  db: Db,
  chain: WalletChain,
  { now, limit }: Page,
): Promise<Array<{ paymentId: string }>> {
  return db
    .select({ paymentId: p.id })
    .from(p)
    .innerJoin(d, isItsPayment)
    .where(
      and(
        eq(p.chain, chain),
        isNull(p.settledAt),
        isNotNull(p.customerId),
        isNotNull(d.reviewActionId),
        eq(d.state, "approved"),
        or(inArray(p.state, ["dropped", "orphaned"]), eq(p.ruledAs, "operators")),
        lte(p.askAt, now),
      ),
    )
    .orderBy(asc(p.askAt), asc(p.id))
    .limit(limit);
}

/**
 * Payments of deposits that could not be taken back whole, and whose customers have coins again: these are asked for at once, so
 * that nothing is spent meanwhile. In the order of deposits, after one of them.
 */
export function listPaymentsToCollect(
  db: Db,
  chain: WalletChain,
  { after, limit }: { after: string | null; limit: number },
): Promise<Array<{ paymentId: string; depositId: string }>> {
  return db
    .select({ paymentId: p.id, depositId: d.id })
    .from(d)
    .innerJoin(p, isItsPayment)
    .where(
      and(
        eq(p.chain, chain),
        eq(d.state, "orphaned"),
        isNull(d.rulingId),
        not(p.counts),
        hasCoins,
        after ? gt(d.id, after) : undefined,
      ),
    )
    .orderBy(asc(d.id))
    .limit(limit);
}

/** Deposits that were approved by mistake and are not taken back whole, as far as their customers have coins. */
export function listMistakes(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string }[]> {
  return db
    .select({ id: d.id })
    .from(d)
    .where(
      and(
        isNotNull(d.rulingId),
        or(eq(d.state, "approved"), and(eq(d.state, "orphaned"), hasCoins)),
        gt(d.id, after),
      ),
    )
    .orderBy(asc(d.id))
    .limit(limit);
}

/** The payments that a deposit is counted for, in the order in which they are locked. */
export async function listPaymentsOfDeposit(tx: Tx, depositId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: p.id })
    .from(d)
    .innerJoin(p, isItsPayment)
    .where(eq(d.id, depositId))
    .orderBy(asc(p.id));
  return rows.map(({ id }) => id);
}

// What follows is for staff: it looks across customers.

const people = {
  customerEmail: users.email,
  customerFirstName: users.firstName,
  customerLastName: users.lastName,
};

/** Deposits that share this deposit's slip: as the same file, or as the same picture. */
const likenesses = (sameFile: boolean) => sql<number>`(
  select count(*) from deposit_slip_likenesses l
   where ${d.slipId} in (l.slip_id, l.earlier_slip_id) and l.same_file = ${sameFile})::int`;

const flags = {
  /** Whether the slip has been compared with earlier ones yet. */
  slipCompared: sql<boolean>`${s.comparedAt} is not null`,
  sameFileCount: likenesses(true),
  sameLooksCount: likenesses(false),
};

/** Deposits that wait for review, oldest first. `after` is the id of the last one seen. */
export async function listPendingDeposits(
  db: Db | Tx,
  page: { after?: string | undefined; limit: number },
) {
  const after =
    page.after && isUuid(page.after)
      ? gt(
          sql`(${d.createdAt}, ${d.id})`,
          sql`(select c.created_at, c.id from deposits c where c.id = ${page.after})`,
        )
      : undefined;
  const rows = await db
    .select({ ...columns, ...people, ...flags })
    .from(d)
    .innerJoin(s, eq(s.id, d.slipId))
    .innerJoin(users, eq(users.id, d.customerId))
    .where(and(eq(d.state, "pending"), after))
    .orderBy(asc(d.createdAt), asc(d.id))
    .limit(page.limit);
  return rows.map(asDeposit);
}
export type PendingDeposit = Awaited<ReturnType<typeof listPendingDeposits>>[number];

/** One deposit of anybody, with who sent it and who reviewed it; null when there is none. */
export async function findDepositForReview(db: Db | Tx, depositId: string) {
  if (!isUuid(depositId)) return null;
  const [row] = await db
    .select({
      ...columns,
      ...people,
      ...flags,
      reviewActionId: d.reviewActionId,
      reviewerId: auditLog.operatorId,
      reviewerName: sql<
        string | null
      >`(select u.name from users u where u.id = ${auditLog.operatorId})`,
    })
    .from(d)
    .leftJoin(s, eq(s.id, d.slipId))
    .innerJoin(users, eq(users.id, d.customerId))
    .leftJoin(auditLog, eq(auditLog.id, d.reviewActionId))
    .where(eq(d.id, depositId));
  return row ? asDeposit(row) : null;
}
export type DepositForReview = NonNullable<Awaited<ReturnType<typeof findDepositForReview>>>;

/** Deposits, of any customer, whose slip is the same file as this one's or shows the same picture. */
export async function listDepositsWithSameSlip(db: Db | Tx, depositId: string, limit = 20) {
  const l = depositSlipLikenesses;
  const own = db.select({ slipId: d.slipId }).from(d).where(eq(d.id, depositId));
  const others = union(
    db
      .select({ slipId: l.earlierSlipId, sameFile: l.sameFile })
      .from(l)
      .where(sql`${l.slipId} = (${own})`),
    db
      .select({ slipId: l.slipId, sameFile: l.sameFile })
      .from(l)
      .where(sql`${l.earlierSlipId} = (${own})`),
  ).as("others");
  const rows = await db
    .select({ ...columns, ...people, sameFile: others.sameFile })
    .from(others)
    .innerJoin(d, eq(d.slipId, others.slipId))
    .innerJoin(s, eq(s.id, d.slipId))
    .innerJoin(users, eq(users.id, d.customerId))
    .orderBy(desc(others.sameFile), desc(d.createdAt))
    .limit(limit);
  return rows.map(asDeposit);
}

/** Slips whose customers were erased before a moment, and whose files are still there. */
export async function listSlipsOfTheErased(
  db: Db,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<Array<{ id: string; fileKey: string }>> {
  return db
    .select({ id: depositSlips.id, fileKey: depositSlips.fileKey })
    .from(depositSlips)
    .innerJoin(customers, eq(customers.id, depositSlips.customerId))
    .where(
      and(
        lt(customers.erasedAt, before),
        isNull(depositSlips.erasedAt),
        gt(depositSlips.id, after),
      ),
    )
    .orderBy(asc(depositSlips.id))
    .limit(limit);
}

/** Payments to customers' addresses, newest first. */
export async function listPaymentsForStaff(db: Db, limit: number) {
  return db
    .select({ ...paymentColumns, ...people, customerId: depositAddresses.customerId })
    .from(p)
    .innerJoin(depositAddresses, eq(depositAddresses.address, p.address))
    .innerJoin(users, eq(users.id, depositAddresses.customerId))
    .orderBy(desc(p.seenAt), desc(p.id))
    .limit(limit);
}
export type PaymentForStaff = Awaited<ReturnType<typeof listPaymentsForStaff>>[number];

/** One payment, of a customer or to the operator; null when there is none. */
export async function findPaymentForStaff(db: Db, paymentId: string) {
  if (!isUuid(paymentId)) return null;
  const [found] = await db
    .select({ ...paymentColumns, ...people, customerId: p.customerId })
    .from(p)
    .leftJoin(users, eq(users.id, p.customerId))
    .where(eq(p.id, paymentId));
  return found ?? null;
}
export type PaymentCase = NonNullable<Awaited<ReturnType<typeof findPaymentForStaff>>>;

/** What a transaction paid to customers, as far as two people did not say that it was the operator's. */
export function listCustomersPaidBy(db: Db, txid: string) {
  return db
    .select({ paymentId: p.id, asset: p.asset, units: p.units, settledAt: p.settledAt, ...people })
    .from(p)
    .innerJoin(users, eq(users.id, p.customerId))
    .where(
      and(
        inArray(p.chain, ["bitcoin", "ethereum"]),
        eq(p.txid, txid),
        inArray(p.state, ["seen", "mined"]),
        sql`${p.ruledAs} is distinct from 'operators'`,
      ),
    )
    .orderBy(desc(p.units), asc(p.outputIndex))
    .limit(20);
}
export type PaidCustomer = Awaited<ReturnType<typeof listCustomersPaidBy>>[number];

/** Payments that were refused, one line for each address and reason, the oldest first. */
export async function listRefusedPayments(db: Db, limit: number) {
  return db
    .select({
      paymentId: sql<string>`(array_agg(${p.id} order by ${p.seenAt}, ${p.id}))[1]`,
      asset: p.asset,
      refusal: p.refusal,
      customerId: depositAddresses.customerId,
      ...people,
      payments: count(),
      units: sql`sum(${p.units})`.mapWith(p.units),
      oldestAt: sql`min(${p.seenAt})`.mapWith(p.seenAt),
    })
    .from(p)
    .innerJoin(depositAddresses, eq(depositAddresses.address, p.address))
    .innerJoin(users, eq(users.id, depositAddresses.customerId))
    .where(and(p.counts, isNull(p.settledAt), gt(p.refusals, 0)))
    .groupBy(p.asset, p.refusal, depositAddresses.customerId, ...Object.values(people))
    .orderBy(sql`min(${p.seenAt})`)
    .limit(limit);
}
export type RefusedPayments = Awaited<ReturnType<typeof listRefusedPayments>>[number];

const r = paymentRulings;
const proposer = alias(users, "proposer");
const decider = alias(users, "decider");

function selectRulings(db: Db) {
  const of = (what: SQL) => sql`(
    select ${what} from ruled_payments of_it join chain_payments c on c.id = of_it.payment_id
     where of_it.ruling_id = ${r.id})`;
  return db
    .select({
      ...{ id: r.id, says: r.says, reason: r.reason, state: r.state },
      ...{ proposedBy: r.proposedBy, proposedAt: r.proposedAt, proposerName: proposer.name },
      ...{ decidedAt: r.decidedAt, deciderName: decider.name },
      payments: sql<number>`${of(sql`count(*)::int`)}`,
      units: sql`coalesce(${d.quantityUnits}, ${of(sql`sum(c.units)`)})`.mapWith(p.units),
      asset: sql<Coin>`coalesce(${coinOfDeposit}, ${of(sql`min(c.asset)`)})`,
      paymentId: sql<string | null>`${of(sql`min(c.id::text)`)}`,
      depositId: r.depositId,
    })
    .from(r)
    .leftJoin(d, eq(d.id, r.depositId))
    .innerJoin(proposer, eq(proposer.id, r.proposedBy))
    .leftJoin(decider, eq(decider.id, r.decidedBy))
    .$dynamic();
}
export type PaymentRulingRow = Awaited<ReturnType<typeof selectRulings>>[number];

/** A payment that people say something of, with whose address it was; null when there is none. */
export async function findPaymentToRule(tx: Tx, paymentId: string) {
  if (!isUuid(paymentId)) return null;
  const [found] = await tx
    .select({
      ...{ id: p.id, txid: p.txid, outputIndex: p.outputIndex, address: p.address },
      ...{ asset: p.asset, units: p.units, refusal: p.refusal, customerId: p.customerId },
    })
    .from(p)
    .where(eq(p.id, paymentId));
  return found ?? null;
}
export type PaymentToRule = NonNullable<Awaited<ReturnType<typeof findPaymentToRule>>>;

/** It and the other payments at its address that were refused as it was, and that no ruling has taken. */
export async function listSimilarPayments(
  tx: Tx,
  { id, address, refusal }: PaymentToRule,
  limit: number,
): Promise<string[]> {
  const isFree = sql`${p.counts} and ${p.settledAt} is null and ${p.ruledAs} is null and not exists (
    select from ruled_payments of_it join payment_rulings open on open.id = of_it.ruling_id
     where of_it.payment_id = ${p.id} and open.state = 'open')`;
  const similar = await tx
    .select({ id: p.id })
    .from(p)
    .where(and(eq(p.address, address), sql`${p.refusal} is not distinct from ${refusal}`, isFree))
    .orderBy(asc(p.seenAt), asc(p.id))
    .limit(limit);
  return [...new Set([id, ...similar.map((each) => each.id)])];
}

/** What was said of a payment, newest first. */
export function listRulingsOf(db: Db, paymentId: string): Promise<PaymentRulingRow[]> {
  return selectRulings(db)
    .where(
      sql`exists (select from ruled_payments i where i.ruling_id = ${r.id} and i.payment_id = ${paymentId})`,
    )
    .orderBy(desc(r.proposedAt), desc(r.id))
    .limit(20);
}

/** What was said of a deposit that was approved by mistake, newest first. */
export function listRulingsOfDeposit(db: Db, depositId: string): Promise<PaymentRulingRow[]> {
  return selectRulings(db)
    .where(eq(r.depositId, depositId))
    .orderBy(desc(r.proposedAt), desc(r.id))
    .limit(20);
}

/** What waits for a colleague, the oldest first. */
export function listOpenRulings(db: Db, limit: number): Promise<PaymentRulingRow[]> {
  return selectRulings(db)
    .where(eq(r.state, "open"))
    .orderBy(asc(r.proposedAt), asc(r.id))
    .limit(limit);
}

/** Deposits whose block left the chain: first those whose coins were used meanwhile, then those taken back, newest first. */
export async function listReversals(db: Db, limit: number) {
  const rows = await db
    .select({ ...columns, ...people })
    .from(d)
    .leftJoin(s, eq(s.id, d.slipId))
    .innerJoin(users, eq(users.id, d.customerId))
    .where(inArray(d.state, ["orphaned", "reversed"]))
    .orderBy(sql`${d.state} = 'reversed'`, desc(d.orphanedAt), desc(d.id))
    .limit(limit);
  return rows.map(asDeposit);
}
