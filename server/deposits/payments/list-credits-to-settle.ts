import type { WalletChain } from "#core/wallet/wallet-key.ts";
import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  or,
  sql,
} from "#server/platform/sql.ts";
import { chainPayments } from "../../chain/schema.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { deposits } from "../schema.ts";

const d = deposits;
const p = chainPayments;

/** The coin that a deposit's method brings. */
export const coinOfDeposit = sql`coin_of(${d.method})`;

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
        ...[eq(p.chain, chain), eq(d.state, "orphaned"), isNull(d.resolutionId)],
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
        or(inArray(p.state, ["dropped", "orphaned"]), eq(p.resolvedAs, "operators")),
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
        isNull(d.resolutionId),
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
        isNotNull(d.resolutionId),
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
