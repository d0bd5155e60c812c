import { randomUUID } from "node:crypto";
import type pg from "pg";
import { listContractsWithTotals } from "#server/mining/contracts/list-contracts-with-totals.ts";
import { listCustomerDays } from "#server/mining/days/list-customer-days.ts";
import type { Db } from "#server/platform/database.ts";
import {
  createTestPlan,
  createTestPool,
  createTestPriceOfDay,
  dayAfter,
} from "#tests/factories/mining.ts";
import { stopTriggers } from "./stop-triggers.ts";

const days = 3 * 365;
const first = "2023-01-05";
const last = dayAfter(first, days - 1);
const chartDays = 90;
const asked = 400;

/** Reads what /account/mining shows for somebody with 50 contracts of three years, and for somebody with one of a week. */
export async function benchHistory(
  db: Db,
  owner: pg.Pool,
): Promise<{ ratio: number; lines: string[] }> {
  const now = new Date("2023-01-04T12:00:00Z");
  const { versionId } = await createTestPlan(db, { termDays: 1825, now });
  await createTestPool(db, { from: first });
  const priceId = await createTestPriceOfDay(db, first);
  const old = randomUUID();
  const young = randomUUID();
  const connection = await owner.connect();
  try {
    const startTriggers = await stopTriggers(connection, ["mining_runs", "contracts"]);
    for (let day = first; day <= dayAfter(last, 31); day = dayAfter(day, 28)) {
      await connection.query(
        "select open_month(parent, date_trunc('month', $1::date)::date) from unnest('{mining_contract_days,mining_customer_days}'::text[]) parent",
        [day],
      );
    }
    await connection.query(
      `insert into mining_runs (day, state, payout_sats, carried_sats, distributable_sats, delivered_ghs, active_ghs, shared_ghs, served_ppm,
         cumulative_served_ppm, contracts, customers, price_id, btc_usd_e8, price_observed_at, network_observed_at, difficulty, subsidy_sats,
         fees_per_block_sats, started_at, posted_at, operator_share_sats, remainder_sats, fees_due_sats, fees_paid_sats, inactivity_sats,
         earned_btc_units, earned_eth_units, earned_usdt_units, credited_sats)
       select $1::date + n, 'posted', 2100, 0, 2100, 51000, 51000, 51000, 1000000, (n + 1) * 1000000, 51, 2, $2, 10000000000000, now(), now(), 150000000000000,
              312500000, 0, now(), now(), 0, 9, 0, 0, 0, 0, 0, 0, 2091 from generate_series(0, $3::int - 1) n`,
      [first, priceId, days],
    );
    const contracts = (customer: string, count: number, from: string) =>
      connection.query(
        `insert into contracts (id, customer_id, plan_version_id, quote_id, order_id, quantity, ghs, term_days, usd_cents, coin, units, transfer_id,
           terms_version, terms_sha256, bought_at, starts_on, planned_last_day)
         select uuidv7(), $1, $2, uuidv7(), uuidv7(), 1, 1000, 1825, 10000, 'BTC', 100000, uuidv7(), '1.0.0', sha256('terms'),
                $4::timestamptz - interval '1 day', $4::date, $4::date + 1824 from generate_series(1, $3::int) n`,
        [customer, versionId, count, from],
      );
    await contracts(old, 50, first);
    await contracts(young, 1, dayAfter(last, -6));
    await connection.query(
      `insert into mining_contract_days (contract_id, day, customer_id, ghs, credit_sats, fee_sats, fee_paid, credited_sats,
         credited_usd_micros, fees_sats, fees_usd_micros)
       select c.id, r.day, c.customer_id, c.ghs, 41, 30, true, 41 * n, 41000 * n, 30 * n, 30000 * n
         from contracts c join mining_runs r on r.day >= c.starts_on cross join lateral (select r.day - c.starts_on + 1 as n) nth
        order by r.day, c.id`,
    );
    await connection.query(
      `insert into mining_customer_days (customer_id, day, contracts, ghs, credit_sats, credit_usd_micros, fee_sats, paid_fee_sats,
         paid_fee_usd_micros, credited_sats, credited_usd_micros, fees_sats, fees_usd_micros)
       select customer_id, day, count(*), sum(ghs), sum(credit_sats), sum(credit_sats) * 1000, sum(fee_sats), sum(fee_sats), sum(fee_sats) * 1000,
              sum(credited_sats), sum(credited_usd_micros), sum(fees_sats), sum(fees_usd_micros)
         from mining_contract_days group by customer_id, day order by day`,
    );
    await startTriggers();
  } finally {
    connection.release(true);
  }
  await owner.query("vacuum analyze");
  const open = async (customer: string) => {
    const started = performance.now();
    await Promise.all([
      listContractsWithTotals(db, customer),
      listCustomerDays(db, customer, { from: dayAfter(last, 1 - chartDays), to: last }),
    ]);
    return performance.now() - started;
  };
  const took = { old: [] as number[], young: [] as number[] };
  for (let nth = 0; nth < asked + 50; nth += 1) {
    const [o, y] = [await open(old), await open(young)];
    if (nth < 50) continue;
    took.old.push(o);
    took.young.push(y);
  }
  const [o, y] = [p95(took.old), p95(took.young)];
  return {
    ratio: o / y,
    lines: [
      `\nthree years of receipts (${days} days, 50 contracts; a chart of ${chartDays} days): p95 ${o.toFixed(2)} ms; a week of one contract: ${y.toFixed(2)} ms`,
    ],
  };
}

function p95(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
}
