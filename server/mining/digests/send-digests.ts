import { addDays, daysBetween } from "#core/utc-day.ts";
import { sendNoticeLater } from "#server/notices/send-notice.ts";
import {
  findRow,
  getRow,
  json,
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
import { lastDigestPeriod } from "./digest-period.ts";

const atOnce = 500;
/** Days that a digest draws. */
const shownDays = 7;
const cadences = ["day", "week", "month"] as const;

const sweepColumns = {
  every: oneOf(cadences),
  fromDay: text,
  throughDay: text,
  afterCustomerId: text,
};
type Sweep = RowOf<typeof sweepColumns>;

const digestColumns = {
  customerId: text,
  every: text,
  days: number,
  credits: units,
  fees: units,
  creditsUsd: units,
  feesUsd: units,
  /** Days with a contract among the last ones, each with its satoshi. */
  lastDays: orNull(json<Array<[day: string, credits: string]>>()),
  /** Null: there was no contract in the period before. */
  creditsBefore: orNull(units),
};
type Digest = RowOf<typeof digestColumns>;

/**
 * Tells customers what was credited in the last complete day, week or month, each as often as he chose; nobody about a
 * period without a contract. Days that caught up together are told together: a period begins where the last one ended. A
 * sweep that is interrupted goes on behind the last customer it told.
 */
export async function sendDigests(db: Db, now: Date): Promise<void> {
  const { day } = await getRow(
    db,
    sql`select max(day)::text as day from mining_runs where state = 'posted'`,
    { day: orNull(text) },
  );
  if (day === null) return;
  for (const every of cadences) {
    const period = lastDigestPeriod(every, day);
    await db.execute(sql`
      insert into digest_sweeps (every, from_day, through_day)
      select ${every}, least(${period.fromDay}::date, max(through_day) + 1), ${period.throughDay}::date
        from digest_sweeps where every = ${every}
          on conflict do nothing`);
  }
  while (await db.transaction((tx) => notifySome(tx, now.toISOString())));
}

/** @returns whether there may be more to tell. */
async function notifySome(tx: Tx, at: string): Promise<boolean> {
  const sweep = await findRow(
    tx,
    sql`
    select every, from_day::text, through_day::text, after_customer_id from digest_sweeps
     where done_at is null order by through_day, every limit 1 for update skip locked`,
    sweepColumns,
  );
  if (!sweep) return false;
  const customers = await readRows(
    tx,
    sql`
    with next as materialized (
      select customer_id from mining_customer_days
       where day between ${sweep.fromDay}::date and ${sweep.throughDay}::date and customer_id > ${sweep.afterCustomerId}::uuid
       group by customer_id order by customer_id limit ${atOnce}
    )
    select next.customer_id, coalesce(c.every, 'week') as every, d.*, before.credits as credits_before
      from next
      left join digest_choices c on c.customer_id = next.customer_id
     cross join lateral (
       select count(*)::integer as days, sum(credit_sats) as credits, sum(paid_fee_sats) as fees,
              sum(credit_usd_micros) as credits_usd, sum(paid_fee_usd_micros) as fees_usd,
              json_agg(json_build_array(d.day, credit_sats::text) order by d.day)
                filter (where d.day > ${sweep.throughDay}::date - ${shownDays}::integer) as last_days
         from mining_customer_days d
        where d.customer_id = next.customer_id and d.day between ${sweep.fromDay}::date and ${sweep.throughDay}::date) d
     cross join lateral (
       select sum(credit_sats) as credits
         from mining_customer_days b
        where b.customer_id = next.customer_id and b.day < ${sweep.fromDay}::date
          and b.day >= ${sweep.fromDay}::date - (${sweep.throughDay}::date - ${sweep.fromDay}::date + 1)) before
     order by next.customer_id`,
    digestColumns,
  );
  for (const customer of customers) {
    if (customer.every === sweep.every) await tell(tx, sweep, customer);
  }
  const last = customers.at(-1)?.customerId ?? sweep.afterCustomerId;
  const done = customers.length < atOnce ? at : null;
  await tx.execute(sql`
    update digest_sweeps set after_customer_id = ${last}::uuid, done_at = ${done}::timestamptz
     where every = ${sweep.every} and through_day = ${sweep.throughDay}::date`);
  return true;
}

async function tell(tx: Tx, sweep: Sweep, digest: Digest): Promise<void> {
  await sendNoticeLater(tx, {
    customerId: digest.customerId,
    notice: {
      kind: "mining-digest",
      customerId: digest.customerId,
      fromDay: sweep.fromDay,
      throughDay: sweep.throughDay,
      days: digest.days,
      creditSats: digest.credits,
      feeSats: digest.fees,
      creditUsdMicros: digest.creditsUsd,
      feeUsdMicros: digest.feesUsd,
      creditSatsBefore: digest.creditsBefore,
      lastDays: lastDaysOf(sweep, digest),
    },
  });
}

/** A day without a contract is a bar of nothing. */
function lastDaysOf({ fromDay: from, throughDay: through }: Sweep, { lastDays: days }: Digest) {
  const credits = new Map(days ?? []);
  const shown = Math.min(shownDays, daysBetween(from, through) + 1);
  return Array.from({ length: shown }, (_, index) => {
    const day = addDays(through, index + 1 - shown);
    return { day, creditSats: BigInt(credits.get(day) ?? 0) };
  });
}
