import type pg from "pg";
import { postTransfers } from "#server/ledger/post-transfers.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import {
  createTestFleet,
  createTestPlan,
  createTestPool,
  createTestPriceOfDay,
  dayAfter,
  recordTestPayout,
} from "#tests/factories/mining.ts";
import { insertCustomers } from "./insert-customers.ts";
import { benchCustomer, credit } from "./ledger-load.ts";
import { stopTriggers } from "./stop-triggers.ts";

export const firstDay = "2026-01-05";
const bought = new Date("2025-12-31T12:00:00Z");
const contractsPerCustomer = 5;

/** After a day is over. */
export const afterDay = (day: string) => new Date(`${dayAfter(day, 1)}T02:00:00Z`);

/**
 * A site with so many running contracts of a fifth as many customers, three plans, and all that days need. Contracts are
 * written as the owner of the tables, without the triggers that each purchase passes; deposits go through the ledger.
 *
 * @returns the pool whose payouts count.
 */
export async function fillSite(db: Db, owner: pg.Pool, contracts: number): Promise<string> {
  const customers = contracts / contractsPerCustomer;
  const ghs = BigInt(contracts) * 4_000n;
  await createTestFleet(db, { ghs, from: "2025-12-01", machineGhs: 100_000n });
  const plans: string[] = [];
  for (const maintenanceUsdMicros of [28_000n, 30_000n, 32_000n]) {
    const plan = { termDays: 365, maintenanceUsdMicros, priceUsdCents: 10_000n, now: bought };
    plans.push((await createTestPlan(db, plan)).versionId);
  }
  const poolId = await createTestPool(db, { from: firstDay });
  await insertCustomers(owner, customers, bought);
  for (let first = 0; first < customers; first += 100_000) {
    const some = Math.min(100_000, customers - first);
    const deposits = Array.from({ length: some }, (_, place) =>
      credit(benchCustomer(first + place), 100_000n),
    );
    await postTransfers(db, deposits);
  }
  const connection = await owner.connect();
  try {
    const startTriggers = await stopTriggers(connection, ["contracts"]);
    // In the order of purchase, which has nothing to do with the order of customers.
    await connection.query(
      `insert into contracts (id, customer_id, plan_version_id, quote_id, order_id, quantity, ghs, term_days, usd_cents, coin, units,
         transfer_id, terms_version, terms_sha256, bought_at, starts_on, planned_last_day)
       select lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(1 + (n::bigint * 7919) % $2), 32, '0')::uuid, ($3::uuid[])[1 + n % 3],
              lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n), 32, '0')::uuid, 1 + n % 5, 1000 * (1 + n % 5), 365, 10000 * (1 + n % 5),
              case when n % 5 = 0 then 'USDT' when n % 21 = 0 then 'ETH' else 'BTC' end,
              case when n % 5 = 0 then 100000000 when n % 21 = 0 then 30000000000000000 else 100000 end::numeric * (1 + n % 5),
              lpad(to_hex(n), 32, '0')::uuid, '1.0.0', sha256('terms'), $4::timestamptz + n * interval '1 millisecond',
              '2026-01-01'::date + n % 4, '2026-01-01'::date + n % 4 + 364
         from generate_series(1, $1::int) n`,
      [contracts, customers, plans, bought],
    );
    await startTriggers();
  } finally {
    connection.release(true);
  }
  await owner.query("vacuum analyze");
  return poolId;
}

/** What a day needs: a payout a little below what was sold, and a price. */
export async function bringEvidence(
  db: Db,
  poolId: string,
  day: string,
  contracts: number,
): Promise<void> {
  await createTestPriceOfDay(db, day);
  await recordTestPayout(db, {
    poolId,
    day,
    units: BigInt(contracts) * 125n,
    deliveredGhs: BigInt(contracts) * 2_990n,
  });
}

/** The same rows as a day's, copied into tables with only their keys. @returns seconds */
export async function copyBare(owner: pg.Pool, day: string): Promise<number> {
  const connection = await owner.connect();
  try {
    await connection.query(
      "set work_mem = '64MB'; set jit = off; set timezone = 'UTC'; set max_parallel_workers_per_gather = 0",
    );
    const copies = [
      ["bare_contract_days", "mining_contract_days", "contract_id, day"],
      ["bare_customer_days", "mining_customer_days", "customer_id, day"],
      ["bare_transfers", "ledger_transfers", "number"],
      ["bare_entries", "ledger_entries", "transfer_number, account, asset"],
    ] as const;
    for (const [bare, table, key] of copies) {
      await connection.query(`create table ${bare} as select * from ${table} limit 0`);
      await connection.query(`alter table ${bare} add primary key (${key})`);
    }
    // Read once before, so that the copies wait for no disk that the day did not wait for.
    const from = {
      mining_contract_days: `mining_contract_days where day = '${day}'`,
      mining_customer_days: `mining_customer_days where day = '${day}'`,
      ledger_transfers: `ledger_transfers where number > (select min(number) - 1 from ledger_transfers where day = '${day}' and kind = 'mining-credit') and day = '${day}'`,
      ledger_entries: `ledger_entries where transfer_number >= (select min(number) from ledger_transfers where day = '${day}' and kind = 'mining-credit')
        and transfer_number <= (select max(number) from ledger_transfers where day = '${day}')`,
    };
    for (const where of Object.values(from))
      await connection.query(`select count(*) from ${where}`);
    const started = performance.now();
    await connection.query("begin");
    for (const [bare, table] of copies) {
      await connection.query(`insert into ${bare} select * from ${from[table]}`);
    }
    await connection.query("commit");
    const seconds = (performance.now() - started) / 1000;
    // No vacuum of theirs runs beside the next day.
    for (const [bare] of copies) await connection.query(`drop table ${bare}`);
    return seconds;
  } finally {
    await connection.query("reset all");
    connection.release();
  }
}

export interface DayRows {
  contractDays: number;
  customerDays: number;
  transfers: number;
  entries: number;
}

/** How many rows a day made, and whether each customer has his one credit and one fee. */
export async function countDay(owner: pg.Pool, day: string): Promise<DayRows & { whole: boolean }> {
  const { rows } = await owner.query(
    `select (select count(*)::int from mining_contract_days where day = $1) as "contractDays",
            (select count(*)::int from mining_customer_days where day = $1) as "customerDays",
            (select count(*)::int from ledger_transfers where day = $1 and kind in ('mining-credit', 'maintenance-fee')) as transfers,
            (select 2 * count(*)::int from ledger_transfers where day = $1 and kind in ('mining-credit', 'maintenance-fee')) as entries,
            (select r.state = 'posted' and r.contracts = (select count(*) from mining_contract_days where day = $1)
                and r.customers = (select count(*) from mining_customer_days where day = $1)
                and r.credited_sats = (select sum(credit_sats) from mining_contract_days where day = $1)
                and 2 * r.customers = (select count(distinct key) from ledger_transfers where day = $1 and kind in ('mining-credit', 'maintenance-fee'))
               from mining_runs r where day = $1) as whole`,
    [day],
  );
  return rows[0];
}

export async function chunksDone(db: Db, day: string): Promise<{ done: number; all: number }> {
  const { rows } = await db.execute(
    sql`select count(posted_at)::int as done, count(*)::int as all from mining_chunks where day = ${day}::date`,
  );
  return rows[0] as { done: number; all: number };
}
