import type { PaymentResolution } from "#core/payments/payment-resolution.ts";
import { and, eq, type SQL, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { chainPayments } from "./schema.ts";

const p = chainPayments;

/** Takes a payment for whoever settles it: nobody else does, and no block moves it, until the transaction ends. */
export async function lockPayment(tx: Tx, paymentId: string) {
  const [payment] = await tx.select().from(p).where(eq(p.id, paymentId)).for("update");
  return payment ?? null;
}
export type LockedPayment = NonNullable<Awaited<ReturnType<typeof lockPayment>>>;

/** Takes many at a time, always in the same order: two who want some of the same wait, and neither for the other. */
export async function lockPayments(tx: Tx, which: SQL | undefined): Promise<void> {
  await tx.select({ id: p.id }).from(p).where(which).orderBy(p.id).for("update");
}

/** Marks a payment as counted in the ledger, or, with null, as counted no more. */
export async function markSettled(tx: Tx, paymentId: string, at: Date | null): Promise<void> {
  await tx
    .update(p)
    .set({ settledAt: at, refusals: 0, refusal: null, refusedAt: null })
    .where(eq(p.id, paymentId));
}

/**
 * Says why a payment could not be settled, and asks for it again after a minute, then two, four and so on up to six hours. What
 * was settled meanwhile is left alone. What refused it may ask sooner: `ask_payments_again`.
 */
export async function postponePayment(
  db: Db,
  { paymentId, refusal, now }: { paymentId: string; refusal: string; now: Date },
): Promise<void> {
  const isUnsettled = sql`${p.counts} <> (${p.settledAt} is not null)`;
  await db
    .update(p)
    .set({
      refusal: refusal.slice(0, 200),
      refusedAt: now,
      refusals: sql`${p.refusals} + 1`,
      askAt: sql`${now.toISOString()}::timestamptz + least(interval '1 minute' * power(2, least(${p.refusals}, 10)), interval '6 hours')`,
    })
    .where(and(eq(p.id, paymentId), isUnsettled));
}

/** Marks payments as what two people said of them; they are settled with the next pass. */
export async function markResolved(
  tx: Tx,
  {
    paymentIds,
    resolutionId,
    resolvedAs,
  }: { paymentIds: string[]; resolutionId: string; resolvedAs: PaymentResolution },
): Promise<void> {
  const resolved = sql`${p.id} = any(${sql.param(paymentIds)}::uuid[])`;
  await lockPayments(tx, resolved);
  await tx
    .update(p)
    .set({
      resolutionId,
      resolvedAs,
      refusals: 0,
      refusal: null,
      refusedAt: null,
      askAt: sql`${p.seenAt}`,
    })
    .where(resolved);
}
