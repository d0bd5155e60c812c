import {
  getRow,
  moment,
  number,
  oneOf,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = {
  customerId: text,
  customerName: text,
  work: oneOf(["day", "correction", "arrears", "clocks", "endings", "inactivity"]),
  /** Of a day or its correction. */
  day: orNull(text),
  error: text,
  failedAt: moment,
  tries: number,
  /** Null: with an earlier day of the same customer. */
  retryAt: orNull(moment),
  /** The share of a day that waits for the customer. */
  reservedSats: orNull(units),
};

/** Work that failed for one customer only; we try it again. */
export type CustomerApart = RowOf<typeof columns>;

/** Customers who are set apart, the longest first. `untold`: of whom staff have no mail yet. */
export async function listCustomersApart(
  db: Db | Tx,
  {
    customerId,
    day,
    untold = false,
    limit,
  }: { customerId?: string; day?: string; untold?: boolean; limit: number },
): Promise<CustomerApart[]> {
  const which = [
    sql`true`,
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}::uuid`]),
    ...(day === undefined ? [] : [sql`day = ${day}::date`]),
    // What only waits for an earlier day of the same customer is no news.
    ...(untold ? [sql`told_at is null and (tries > 0 or reserved_sats is null)`] : []),
  ];
  return readRows(
    db,
    sql`select customer_id, (select u.name from users u where u.id = mining_customers_apart.customer_id) as customer_name,
               work, day::text, error, failed_at, tries, nullif(retry_at, '-infinity') as retry_at, reserved_sats
          from mining_customers_apart where ${sql.join(which, sql` and `)}
         order by failed_at, customer_id, day, work desc limit ${limit}`,
    columns,
  );
}

/** Settled days of a customer that could not be credited: how many, the first, and their share. */
export async function findReservedDays(
  db: Db,
  customerId: string,
): Promise<{ count: number; first: string; sats: bigint } | null> {
  const { count, first, sats } = await getRow(
    db,
    sql`select count(*) as count, min(day)::text as first, coalesce(sum(reserved_sats), 0) as sats
          from mining_customers_apart where customer_id = ${customerId}::uuid and work = 'day'`,
    { count: number, first: orNull(text), sats: units },
  );
  return first === null ? null : { count, first, sats };
}
