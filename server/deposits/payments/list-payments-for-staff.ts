import { isUuid } from "#core/is-uuid.ts";
import { and, count, desc, eq, gt, isNull, sql } from "#server/platform/sql.ts";
import { chainPayments, depositAddresses } from "../../chain/schema.ts";
import { users } from "../../identity/schema.ts";
import type { Db } from "../../platform/database.ts";
import { people } from "../select-deposits.ts";
import { paymentColumns } from "./list-payments.ts";

const p = chainPayments;

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
