import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { postTransfers } from "../server/ledger/post-transfers.ts";
import { sealTransfers } from "../server/ledger/seal-transfers.ts";
import { type Db, openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log/log.ts";
import { benchCustomer, credit, postFor, postMany } from "./load/ledger-load.ts";
import { median } from "./load/median.ts";
import { benchOn, createDatabase, startOwnPostgres } from "./load/own-postgres.ts";
import { findPgbench, initialiseTpcB, type Pgbench, runPgbench } from "./load/pgbench.ts";
import { hold, printTable, skip } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const customers = 100_000;
const batchSize = 100_000;
const newSize = 20_000;
const sameHouse = "application, 16 clients, the same house accounts";
const batchName = `application, a batch of ${batchSize.toLocaleString("en")}`;

interface Measure {
  name: string;
  /** What it is compared with, in the same round. */
  beside?: string;
  /** At least so many times as fast as that. */
  bar?: number;
  run(): Promise<number>;
}

const postgres = await startOwnPostgres();
await benchOn(postgres, async (db) => {
  const { applicationUrl } = await createDatabase(postgres, "grown");
  const grown = openDatabase(applicationUrl, openLog("silent"));
  try {
    await bench(db, grown);
  } finally {
    await grown.$client.end();
  }
});

async function bench(db: Db, grown: Db): Promise<void> {
  const pgbench = findPgbench();
  if (!pgbench) skip("ledger beside TPC-B-like", "no pgbench (Debian: postgresql-contrib)");
  const { rows } = await db.$client.query("select version()");
  console.log(`${rows[0].version}, fsync on, ${cpus().length} CPUs`);
  console.log(pgbench?.version ?? "no pgbench");
  await introduce(db, customers);
  await introduce(grown, 10 * customers);
  const measures = [
    ...(pgbench ? await tpcB(pgbench) : []),
    ...product(db),
    ...(pgbench ? [statement(pgbench)] : []),
    ...growth(grown),
  ];
  const seen = new Map<string, number[]>(measures.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    // There and back: what one leaves behind, a checkpoint or a vacuum, does not always meet the same other.
    const inTurn = round % 2 === 0 ? measures : measures.toReversed();
    for (const { name, run } of inTurn) seen.get(name)?.push(await run());
    process.stderr.write(`round ${round + 1} of ${rounds} done\n`);
  }
  report(measures, seen);
}

/** Every customer has accounts and a first entry: the bench is of a site that runs, not of its first day. */
async function introduce(db: Db, count: number): Promise<void> {
  for (let first = 0; first < count; first += batchSize) {
    const each = (_: unknown, place: number) =>
      credit(benchCustomer(first + place), 1_000_000_000n);
    await postTransfers(db, Array.from({ length: Math.min(batchSize, count - first) }, each));
  }
}

async function tpcB(pgbench: Pgbench): Promise<Measure[]> {
  const owner = new pg.Client({ connectionString: postgres.ownerUrl });
  await owner.connect();
  await owner.query("create database tpcb");
  await owner.end();
  const url = new URL(postgres.ownerUrl);
  url.pathname = "/tpcb";
  initialiseTpcB(pgbench, url.toString());
  const measure = (name: string, clients: number, protocol: "simple" | "prepared"): Measure => ({
    name,
    run: () => runPgbench(pgbench, url.toString(), { clients, protocol, seconds }),
  });
  return [
    measure("TPC-B-like, 1 client", 1, "simple"),
    measure("TPC-B-like, 16 clients", 16, "simple"),
    measure("TPC-B-like, 16 clients, prepared statements", 16, "prepared"),
  ];
}

function product(db: Db): Measure[] {
  const beside = "TPC-B-like, 16 clients";
  return [
    {
      name: "application, one at a time",
      beside: "TPC-B-like, 1 client",
      bar: 1.4,
      run: () => postFor(db, { clients: 1, seconds, customers, touching: "house" }),
    },
    {
      name: "application, 16 clients, different customers",
      beside,
      bar: 0.8,
      run: () => postFor(db, { clients: 16, seconds, customers, touching: "customers" }),
    },
    {
      name: sameHouse,
      beside,
      bar: 0.95,
      run: () => postFor(db, { clients: 16, seconds, customers, touching: "house" }),
    },
    {
      name: batchName,
      beside,
      bar: 10,
      run: () => postMany(db, { transfers: batchSize, customers }),
    },
    {
      name: `application, a batch of ${newSize.toLocaleString("en")} for new customers`,
      beside,
      bar: 5,
      run: () => postForNew(db),
    },
    {
      name: "sealing",
      beside: batchName,
      bar: 2,
      run: () => sealAll(db),
    },
  ];
}

/** The same where ten times as many customers have ten times as many transfers. */
function growth(grown: Db): Measure[] {
  const many = { clients: 16, seconds, customers: 10 * customers, touching: "house" as const };
  const batch = { transfers: batchSize, customers: 10 * customers };
  return [
    {
      name: `${sameHouse}, ten times the data`,
      beside: sameHouse,
      bar: 0.8,
      run: () => postFor(grown, many),
    },
    {
      name: `${batchName}, ten times the data`,
      beside: batchName,
      bar: 0.8,
      run: () => postMany(grown, batch),
    },
  ];
}

/** Customers of whom the planner knows nothing yet. */
async function postForNew(db: Db): Promise<number> {
  const transfers = Array.from({ length: newSize }, () => credit(randomUUID(), 100n));
  const began = performance.now();
  await postTransfers(db, transfers);
  return (newSize * 1000) / (performance.now() - began);
}

/** Seals what the measures before have posted. */
async function sealAll(db: Db): Promise<number> {
  const { rows } = await db.$client.query<{ count: string }>(
    "select count(*) - coalesce((select sum(transfer_count) from ledger_seals), 0) as count from ledger_transfers",
  );
  const began = performance.now();
  await sealTransfers(db, new Date());
  return (Number(rows[0]?.count) * 1000) / (performance.now() - began);
}

/**
 * The statement that the application sends, sent by pgbench: what the database itself can do. The application makes up ids and
 * keys itself; here they are written out of each client's count, in the order of time, too.
 */
function statement(pgbench: Pgbench): Measure {
  const script = path.join(postgres.folder, "post-transfer.sql");
  writeFileSync(
    script,
    `\\set nth :nth + 1
\\set customer random(1, ${customers})
select post_transfer(
  (lpad(to_hex(:run::bigint), 8, '0') || lpad(to_hex(:client_id::bigint), 8, '0') || lpad(to_hex(:nth::bigint), 16, '0'))::uuid,
  concat('bench:', :run::bigint, ':', :client_id::bigint, ':', :nth::bigint), 'conversion',
  lpad(to_hex(:customer::bigint), 32, '0')::uuid, current_date, now(), 'bench', '',
  array[('available', 'BTC', 100)::ledger_leg, ('conversion', 'BTC', -100)::ledger_leg]);
`,
  );
  let runs = 0;
  return {
    name: "posting statement by pgbench, 16 clients, the same house accounts",
    beside: "TPC-B-like, 16 clients",
    bar: 1.1,
    run: () => {
      runs += 1;
      const variables = { run: runs, nth: 0 };
      const load = { clients: 16, protocol: "prepared" as const, seconds, script, variables };
      return runPgbench(pgbench, postgres.ownerUrl, load);
    },
  };
}

function report(measures: Measure[], seen: Map<string, number[]>): void {
  console.log(`\nper second, medians of ${rounds} rounds\n`);
  const rates = (name: string) => seen.get(name) ?? [];
  printTable(
    ["", "per second"],
    measures.map(({ name }) => [name, Math.round(median(rates(name))).toLocaleString("en")]),
  );
  console.log("\nbeside what each is compared with in its round\n");
  for (const { name, beside, bar } of measures) {
    const base = rates(beside ?? "");
    if (!beside || bar === undefined || base.length === 0) continue;
    const figure = median(rates(name).map((rate, round) => rate / (base[round] ?? 0)));
    hold({ work: name, beside, figure, atLeast: bar });
  }
}
