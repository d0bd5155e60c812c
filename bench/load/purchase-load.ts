import type pg from "pg";
import { buyContract } from "#server/contracts/buy-contract.ts";
import { findCapacity } from "#server/contracts/find-capacity.ts";
import { findLastPayout } from "#server/contracts/find-last-payout.ts";
import { listOfferedPlans } from "#server/contracts/list-offered-plans.ts";
import { quoteContract } from "#server/contracts/quote-contract.ts";
import { listPlanRecords } from "#server/mining/contracts/plan-records.ts";
import type { Db } from "#server/platform/database.ts";
import { sweepAttempts } from "#server/platform/rate-limit.ts";
import { listCoverage } from "#server/reconciliation/list-coverage.ts";
import { acceptedTerms, createTestBuyer, offerTestPlan } from "#tests/factories/contract.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestFleet } from "#tests/factories/mining.ts";
import { insertCustomers } from "./insert-customers.ts";

const now = new Date("2026-03-20T12:00:00Z");
const bought = new Date("2025-12-31T12:00:00Z");
const contractsPerCustomer = 5;
const buyers = 100;
const clients = 8;

/** A site with so many running contracts and as many that have ended, and people who buy more of them. */
export interface PurchaseSite {
  contracts: number;
  db: Db;
  owner: pg.Pool;
  planVersionIds: string[];
  buyerIds: string[];
}

/**
 * Contracts are written as the owner of the tables, without the triggers that each purchase passes; the rows that these triggers move
 * are added up once. Results of ended contracts go through their trigger.
 */
export async function fillPurchaseSite(
  db: Db,
  owner: pg.Pool,
  contracts: number,
): Promise<PurchaseSite> {
  const customers = contracts / contractsPerCustomer;
  await createTestFleet(db, { ghs: BigInt(contracts) * 8_000n + 10_000_000n, from: "2025-12-01" });
  await createTestPrice(db, { asset: "BTC", usdE8: 10_000_000_000_000n, observedAt: now });
  const planVersionIds: string[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const terms = {
      termDays: 365,
      mostUnits: 5,
      offeredGhs: BigInt(contracts) * 4_000n + 10_000_000n,
    };
    const price = {
      priceUsdCents: 100n,
      machinesUsdCents: 100n,
      setupUsdCents: 0n,
      marginUsdCents: 0n,
    };
    planVersionIds.push((await offerTestPlan(db, { ...terms, ...price })).planVersionId);
  }
  await fillContracts(owner, { contracts, customers, planVersionIds });
  const buyerIds: string[] = [];
  for (let nth = 0; nth < buyers; nth += 1) buyerIds.push((await createTestBuyer(db)).id);
  await owner.query("vacuum analyze");
  await owner.query("checkpoint");
  return { contracts, db, owner, planVersionIds, buyerIds };
}

async function fillContracts(
  owner: pg.Pool,
  {
    contracts,
    customers,
    planVersionIds,
  }: { contracts: number; customers: number; planVersionIds: string[] },
): Promise<void> {
  const connection = await owner.connect();
  const tables = [
    "users",
    "customers",
    "contracts",
    "contract_endings",
    "sold_hashrate",
    "fleet_days",
  ];
  try {
    await connection.query("set work_mem = '256MB'; set timezone = 'UTC'; begin");
    for (const table of tables) await connection.query(`alter table ${table} disable trigger all`);
    await insertCustomers(connection, customers, bought);
    // First those that run, then those that have ended after thirty days.
    await connection.query(
      `insert into contracts (id, customer_id, plan_version_id, quote_id, order_id, quantity, ghs, term_days, usd_cents, coin, units,
         transfer_id, terms_version, terms_sha256, bought_at, starts_on, planned_last_day, last_day, end_reason, ended_at)
       select lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(1 + (n::bigint * 7919) % $2), 32, '0')::uuid, ($3::uuid[])[1 + n % 3],
              lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n), 32, '0')::uuid, 1 + n % 5, 1000 * (1 + n % 5), t.days, 100 * (1 + n % 5), 'BTC', 1000 * (1 + n % 5),
              lpad(to_hex(n), 32, '0')::uuid, '1.0.0', sha256('terms'), $4::timestamptz + n * interval '1 millisecond',
              '2026-01-01'::date + n % 4, '2026-01-01'::date + n % 4 + t.days - 1,
              case when t.ended then '2026-01-01'::date + n % 4 + t.days - 1 end, case when t.ended then 'served' end,
              case when t.ended then '2026-02-05T02:00:00Z'::timestamptz end
         from generate_series(1, 2 * $1::int) n
        cross join lateral (select n > $1::int as ended, case when n > $1::int then 30 else 365 end as days) t`,
      [contracts, customers, planVersionIds, bought],
    );
    await connection.query(
      `insert into contract_endings (contract_id, customer_id, reason, ended_at, served_days, refunded_units, forfeited_units, settled_at, told_at)
       select id, customer_id, 'served', ended_at, term_days, 0, 0, ended_at, ended_at from contracts where last_day is not null`,
    );
    await connection.query(
      `insert into contract_results (contract_id, plan_version_id, usd_micros, usd_cents, cents, is_below)
       select r.id, r.plan_version_id, r.usd_micros, r.usd_cents, floor(r.usd_micros / r.usd_cents), r.usd_micros < r.usd_cents * 10000
         from (select c.id, c.plan_version_id, c.usd_cents, c.usd_cents * (5000 + hashint4(('x' || right(c.id::text, 7))::bit(28)::int)::bigint & 8191)
                 as usd_micros
                 from contracts c join plan_versions v on v.id = c.plan_version_id where c.last_day is not null) r`,
    );
    await connection.query(
      "insert into sold_hashrate select plan_version_id, sum(ghs), count(*) from contracts where last_day is null group by 1",
    );
    await connection.query("select open_fleet_days('2026-01-01', '2027-12-31')");
    await connection.query(
      `update fleet_days d set sold_ghs = s.ghs
         from (select f.day, sum(c.ghs) as ghs
                 from (select starts_on, planned_last_day, sum(ghs) as ghs from contracts group by 1, 2) c
                 join fleet_days f on f.day between c.starts_on and c.planned_last_day group by f.day) s where s.day = d.day`,
    );
    for (const table of tables) await connection.query(`alter table ${table} enable trigger all`);
    await connection.query("commit");
  } finally {
    connection.release(true);
  }
}

/** Quotes a second, by customers who ask at the same time. */
export function quoteFor(site: PurchaseSite, seconds: number): Promise<number> {
  return askFor(site, seconds, async (customerId, planVersionId) => {
    await quoteContract(site.db, { customerId, planVersionId, quantity: 1, coin: "BTC" }, now);
  });
}

/** Purchases a second, each with its quote. */
export function buyFor(site: PurchaseSite, seconds: number): Promise<number> {
  const terms = acceptedTerms(now);
  return askFor(site, seconds, async (customerId, planVersionId) => {
    const wish = { customerId, planVersionId, quantity: 1, coin: "BTC" as const };
    const { quoteId } = await quoteContract(site.db, wish, now);
    await buyContract(site.db, { customerId, quoteId, ...terms }, now);
  });
}

/** Transactions a second that write one row, by as many clients: what the disk and this machine allow at this moment. */
export async function writeFor({ owner, db }: PurchaseSite, seconds: number): Promise<number> {
  await owner.query(
    "create table if not exists bench_rows (n bigint generated always as identity, at timestamptz)",
  );
  await owner.query("grant insert on bench_rows to assay_app");
  return countFor(seconds, async () => {
    await db.$client.query("insert into bench_rows (at) values (now())");
  });
}

async function askFor(
  site: PurchaseSite,
  seconds: number,
  ask: (customerId: string, planVersionId: string) => Promise<void>,
): Promise<number> {
  // Nobody is refused for asking often.
  await sweepAttempts(site.db, new Date("2100-01-01T00:00:00Z"));
  return countFor(seconds, async (nth) => {
    const customerId = site.buyerIds[nth % buyers] ?? "";
    await ask(customerId, site.planVersionIds[nth % site.planVersionIds.length] ?? "");
  });
}

async function countFor(seconds: number, ask: (nth: number) => Promise<void>): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let begun = 0;
  let done = 0;
  const client = async () => {
    while (performance.now() < end) {
      begun += 1;
      await ask(begun);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done * 1000) / (performance.now() - started);
}

/** What `/plans` reads of plans and contracts when its page is stale. @returns milliseconds */
export function readPlans({ db }: PurchaseSite): Promise<number> {
  return timed(() =>
    Promise.all([listOfferedPlans(db, { now }), listPlanRecords(db, now), listCoverage(db)]),
  );
}

/** What `/` reads of them. @returns milliseconds */
export function readHome({ db }: PurchaseSite): Promise<number> {
  return timed(() =>
    Promise.all([listOfferedPlans(db, { now }), findLastPayout(db), findCapacity(db, now)]),
  );
}

/** One row by its key. @returns milliseconds */
export function readKey({ db, planVersionIds }: PurchaseSite): Promise<number> {
  const [id] = planVersionIds;
  return timed(() => db.$client.query("select * from plan_versions where id = $1", [id]));
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
