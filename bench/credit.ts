import { execFile, spawn } from "node:child_process";
import { cpus } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import pg from "pg";
import { postMiningDay } from "../server/mining/days/post-mining-day.ts";
import { type Db, openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log/log.ts";
import { dayAfter } from "../tests/factories/mining.ts";
import {
  afterDay,
  bringEvidence,
  chunksDone,
  copyBare,
  countDay,
  fillSite,
  firstDay,
} from "./load/credit-load.ts";
import { benchHistory } from "./load/history-load.ts";
import { createDatabase, dropDatabase, startOwnPostgres } from "./load/own-postgres.ts";
import { processorTime } from "./load/processor-time.ts";
import { hold } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,100000,1000000" },
    days: { type: "string", default: "5" },
    history: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const sizes = options.sizes.split(",").map(Number);
const days = Number(options.days);
const bars = { bare: 2.2, rerun: 0.2, rssMb: 300, history: 2, growth: 1.25 };

const barFrom = 1_000_000;
const inWords = (contracts: number) => contracts.toLocaleString("en");

// As a server of this size is set: the defaults are for a much smaller one. Durability stays as it is.
const postgres = await startOwnPostgres(["-c", "shared_buffers=1GB", "-c", "max_wal_size=8GB"]);
try {
  const seconds = new Map<number, number>();
  for (const size of sizes) seconds.set(size, await benchSize(size));
  for (const size of sizes) {
    const [few, many] = [seconds.get(size / 10), seconds.get(size)];
    // A small day is over before its fixed cost, some tenths of a second, is a small part of it.
    if (few === undefined || many === undefined || size < barFrom) continue;
    const work = `a contract's part of a day, ${inWords(size)} contracts`;
    hold({
      work,
      beside: `at ${inWords(size / 10)}`,
      figure: many / few / 10,
      atMost: bars.growth,
    });
  }
  if (options.history) {
    await withDatabase("history", async (db, owner) => {
      const { ratio, lines } = await benchHistory(db, owner);
      for (const line of lines) console.log(line);
      const work = "history of three years of 50 contracts, p95";
      hold({ work, beside: "a week of one", figure: ratio, atMost: bars.history });
    });
  }
} finally {
  await postgres.stop();
}

/** @returns how many seconds a day took, the median */
async function benchSize(contracts: number): Promise<number> {
  console.log(`\n${contracts.toLocaleString("en")} contracts (${cpus().length} CPUs, fsync on)`);
  const found: Found[] = [];
  await withDatabase(`credit_${contracts}`, async (db, owner, url) => {
    const poolId = await fillSite(db, owner, contracts);
    let day = firstDay;
    await bringEvidence(db, poolId, day, contracts);
    await killHalfWay(db, url, day);
    await postMiningDay(db, day, afterDay(day));
    const killed = await countDay(owner, day);
    console.log(`  a killed run went on without a double or a gap: ${killed.whole ? "yes" : "NO"}`);
    if (!killed.whole) process.exitCode = 1;
    for (let nth = 0; nth < days; nth += 1) {
      day = dayAfter(day, 1);
      found.push(await benchDay(db, owner, { url, poolId, day, contracts }));
    }
  });
  const middle = (of: keyof Found) => median(found.map((each) => each[of]));
  const work = `a day of ${inWords(contracts)} contracts`;
  const [bare, again] = [middle("bare"), middle("again")];
  if (contracts < barFrom) console.log(`  ${bare.toFixed(2)} x the bare copy of its rows`);
  else hold({ work, beside: "a bare copy of its rows", figure: bare, atMost: bars.bare });
  hold({ work: `${work}, again`, beside: "the day", figure: again, atMost: bars.rerun });
  const memory = `${work}, memory of Node`;
  hold({ work: memory, figure: middle("rssMb"), unit: "MB", atMost: bars.rssMb });
  return middle("seconds");
}

/** What a day took, how many times as long as the bare copy, and how long it took again, beside the first time. */
type Found = Record<"seconds" | "bare" | "again" | "rssMb", number>;

/** A day beside the bare copy of its rows. */
async function benchDay(
  db: Db,
  owner: pg.Pool,
  { url, poolId, day, contracts }: { url: string; poolId: string; day: string; contracts: number },
): Promise<Found> {
  await bringEvidence(db, poolId, day, contracts);
  await owner.query("checkpoint");
  const before = processorTime(postgres.pid);
  // In a process of its own: this one has filled the site, and still has the memory for that.
  const { stdout } = await promisify(execFile)(process.execPath, dayArguments(url, day));
  const { seconds, rssMb } = JSON.parse(stdout) as { seconds: number; rssMb: number };
  const runCpu = processorTime(postgres.pid) - before;
  const rerun = await time(() => postMiningDay(db, day, afterDay(day)));
  const rows = await countDay(owner, day);
  await owner.query("checkpoint");
  const bareBefore = processorTime(postgres.pid);
  const bare = await copyBare(owner, day);
  const bareCpu = processorTime(postgres.pid) - bareBefore;
  const rate = Math.round(contracts / seconds).toLocaleString("en");
  console.log(
    `  ${day}: ${seconds.toFixed(2)} s, ${rate} contracts a second; bare copy ${bare.toFixed(2)} s, ${(seconds / bare).toFixed(2)} x; again ${(rerun * 1000).toFixed(0)} ms; Node ${Math.round(rssMb)} MB`,
  );
  console.log(
    `    processor time of PostgreSQL: ${runCpu.toFixed(1)} s beside ${bareCpu.toFixed(1)} s`,
  );
  console.log(
    `    ${rows.contractDays} receipts, ${rows.customerDays} customers' days, ${rows.transfers} transfers, ${rows.entries} entries; whole: ${rows.whole ? "yes" : "NO"}`,
  );
  if (!rows.whole) process.exitCode = 1;
  return { seconds, bare: seconds / bare, again: rerun / seconds, rssMb };
}

/** Lets another process begin, and kills it when half of the chunks are posted. Small days are over before that. */
async function killHalfWay(db: Db, url: string, day: string): Promise<void> {
  const child = spawn(process.execPath, dayArguments(url, day), { stdio: "ignore" });
  const gone = new Promise<null>((resolve) => child.once("exit", () => resolve(null)));
  let over = false;
  void gone.then(() => {
    over = true;
  });
  while (!over) {
    const { done, all } = await chunksDone(db, day);
    if (all > 1 && done * 2 >= all && done < all) {
      child.kill("SIGKILL");
      console.log(`  killed with ${done} of ${all} chunks posted`);
      await gone;
      return;
    }
    await wait(5);
  }
}

async function withDatabase(
  name: string,
  work: (db: Db, owner: pg.Pool, url: string) => Promise<void>,
): Promise<void> {
  const { ownerUrl, applicationUrl } = await createDatabase(postgres, name);
  const db = openDatabase(applicationUrl, openLog("silent"));
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  owner.on("error", () => {});
  try {
    await work(db, owner, applicationUrl);
  } finally {
    await db.$client.end();
    await owner.end();
    await dropDatabase(postgres, name);
  }
}

async function time(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return (performance.now() - started) / 1000;
}

function dayArguments(url: string, day: string): string[] {
  return [
    path.join(import.meta.dirname, "load/credit-day.ts"),
    ...[url, day, afterDay(day).toISOString()],
  ];
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
