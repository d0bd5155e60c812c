import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { addDays, startOfDay, utcDay } from "../../core/utc-day.ts";
import type { App } from "../../server/app-context.ts";
import { findPosition } from "../../server/chain/find-position.ts";
import { listFleetDays } from "../../server/fleet/list-fleet-days.ts";
import { findNextMiningDay } from "../../server/mining/days/find-next-mining-day.ts";
import { previewMiningDay } from "../../server/mining/days/preview-mining-day.ts";
import { listPoolAddresses } from "../../server/payouts/list-pool-coins.ts";
import { listPools } from "../../server/payouts/list-pools.ts";
import { enqueue } from "../../server/platform/jobs/jobs.ts";
import { sql } from "../../server/platform/sql.ts";
import { morningLastsMs, type Rehearsal, type RehearsalProgress } from "../../server/rehearsal.ts";
import { startWorker, type Worker } from "../../server/worker.ts";
import { coinsCountAfter } from "../demo/name-pool-address.ts";
import type { RehearsalChain } from "./bitcoin.ts";
import { readDaysAhead, setDaysAhead } from "./clock.ts";
import { endingDeadlocks } from "./end-deadlocks.ts";
import type { RehearsalPool } from "./pool.ts";

const dayMs = 86_400_000;

interface Parts {
  app: App;
  ownerUrl: string;
  chain: RehearsalChain;
  pool: RehearsalPool;
}

export interface OpenRehearsal extends Rehearsal {
  /** Lets jobs run, until `stop`. */
  wake(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A business that is tried out. Its nights are steps of a day: no job runs while the clock moves, so that none sees half of it,
 * and the queue does not make up for a thousand minutes that nobody lived through.
 */
export function openRehearsal({ app, ownerUrl, chain, pool }: Parts): OpenRehearsal {
  const { dataDir } = app.config;
  let worker: Worker | null = null;
  let progress: RehearsalProgress | null = null;
  const wake = async () => {
    worker = await startWorker(app);
  };

  const nextDay = async (run: RehearsalProgress) => {
    const step = (text: string) => run.steps.push(text);
    const today = utcDay(app.now());
    step("The worker finishes what it has begun");
    await untilRead(app, chain);
    await worker?.stop();
    worker = null;
    try {
      const morning = new Date(app.now().getTime() + dayMs);
      const midnight = startOfDay(addDays(today, 1));
      step("The day's blocks are mined");
      await mineUntil(chain, app.now(), midnight);
      const sats = pool.payDay(today, await hashrateOf(app, today));
      if (sats > 0n) {
        step("The pool pays");
        const to = (await findPoolAddress(app)) ?? (await chain.newColdAddress());
        await chain.payAsPool(to, sats);
      }
      await mineUntil(chain, midnight, morning, coinsCountAfter);
      step("The clock moves to the next day");
      await letSessionsLive(ownerUrl, () => {
        setDaysAhead(dataDir, readDaysAhead(dataDir) + 1);
      });
    } finally {
      await wake();
    }
    step("The worker reads the chain and posts the day");
    run.result = await untilPosted(app, chain, today);
  };

  return {
    get progress() {
      return progress;
    },
    get daysAhead() {
      return readDaysAhead(dataDir);
    },
    beginNextDay() {
      if (progress?.state === "running") return;
      const to = inWords(addDays(utcDay(app.now()), 1));
      const run: RehearsalProgress = { to, state: "running", steps: [], result: null };
      progress = run;
      endingDeadlocks({ ownerUrl, log: app.log }, () => nextDay(run)).then(
        () => {
          run.state = "done";
        },
        (error: unknown) => {
          app.log.error({ err: error }, "the rehearsal's next day failed");
          run.state = "failed";
          run.result = (error as Error).message;
        },
      );
    },
    newAddress: () => chain.newAddress(),
    pay: (address, sats) => chain.pay(address, sats),
    mineBlocks: () => chain.mine(3, app.now()),
    readHoldings: () => chain.readHoldings(),
    listOperatorAddresses: () => chain.listOperatorAddresses(4),
    sign: (psbt) => chain.sign(psbt),
    wake,
    async stop() {
      await worker?.stop();
    },
  };
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
/** 24 Nov 2026 */
const inWords = (day: string) => dayFormat.format(startOfDay(day));

/** A block every ten minutes. */
async function mineUntil(
  chain: RehearsalChain,
  from: Date,
  until: Date,
  atLeast = 1,
): Promise<void> {
  const blocks = Math.max(atLeast, Math.floor((until.getTime() - from.getTime()) / 600_000));
  await chain.mine(blocks, until);
}

/** Where the pool that counts is to pay, if somebody named that. */
async function findPoolAddress({ db }: App): Promise<string | undefined> {
  const counting = (await listPools(db)).find(({ countsUntil }) => countsUntil === null);
  return counting && (await listPoolAddresses(db, counting.id)).at(-1)?.address;
}

async function hashrateOf({ db }: App, day: string): Promise<bigint> {
  const [today] = await listFleetDays(db, { from: day, until: day });
  return today?.capacityGhs ?? 0n;
}

/** Whoever was signed in stays so: the night that nobody slept through counts for no session. */
async function letSessionsLive(ownerUrl: string, move: () => void): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query(`
      update sessions set created_at = created_at + interval '1 day', expires_at = expires_at + interval '1 day',
        proved_at = proved_at + interval '1 day', last_used_at = last_used_at + interval '1 day'`);
    move();
    await client.query("commit");
  } finally {
    await client.end();
  }
}

/** A day on which nobody asked the network is posted by a person: whoever goes on in the first second waits for that. */
async function untilRead(app: App, chain: RehearsalChain): Promise<void> {
  const deadline = performance.now() + morningLastsMs;
  while (performance.now() < deadline && (await whatIsUnread(app, chain))) await wait(500);
}

/** Waits for what a morning brings, and says what came of the day that is over. */
async function untilPosted(app: App, chain: RehearsalChain, day: string): Promise<string> {
  const { db } = app;
  const deadline = performance.now() + morningLastsMs;
  let waitsFor: string | null = null;
  while (performance.now() < deadline && waitsFor !== aPerson) {
    await wait(500);
    waitsFor = await whatIsUnread(app, chain);
    if (waitsFor) continue;
    const next = await findNextMiningDay(db);
    if (next === null || next > day) return resultOf(app, day);
    waitsFor = await whatItWaitsFor(app, next);
    const jobs = waitsFor ? ["payouts/pull", "payouts/cover"] : ["mining/run"];
    for (const job of jobs) await enqueue(db, job, {}, { key: `${job}:rehearsal` });
  }
  return `${inWords(day)} is not posted: it waits for ${waitsFor ?? "the worker"}. The page Mining says more.`;
}

const aPerson = "a person";

/** Null: for nothing but the worker. */
async function whatItWaitsFor({ db, now }: App, day: string): Promise<string | null> {
  const { missing, stops } = await previewMiningDay(db, day, now());
  const { rows } = await db.execute<{ proposed: boolean; failure: string | null }>(sql`
    select exists (select from pool_payouts where day = ${day}::date and state = 'proposed') as proposed,
           (select max(last_failure) from pool_pulls) as failure`);
  const [pool] = rows;
  if (pool?.proposed) return "the pool's coins, or a person";
  if (missing.pools.length > 0) return `the pool${pool?.failure ? `, which ${pool.failure}` : ""}`;
  return stops.length > 0 || missing.noPool ? aPerson : null;
}

/** What has not been read on this day; null: chain, prices and network have. */
async function whatIsUnread({ db, now }: App, chain: RehearsalChain): Promise<string | null> {
  const [position, height] = await Promise.all([findPosition(db, "bitcoin"), chain.height()]);
  if (position?.height !== height) return "the chain to be read";
  const morning = startOfDay(utcDay(now())).toISOString();
  const { rows } = await db.execute<{ network: boolean; price: boolean }>(sql`
    select exists (select from network_figures where observed_at > ${morning}::timestamptz) as network,
           exists (select from market_prices where asset = 'BTC' and observed_at > ${morning}::timestamptz) as price`);
  if (!rows[0]?.network) return "figures of the network";
  return rows[0].price ? null : "a price";
}

async function resultOf({ db }: App, day: string): Promise<string> {
  const named = inWords(day);
  const { rows } = await db.execute<{ credited: string; contracts: number }>(
    sql`select credited_sats::text as credited, contracts from mining_runs where day = ${day}::date and state = 'posted'`,
  );
  const [run] = rows;
  if (run)
    return `${named} is posted: ${run.credited} satoshis to ${run.contracts} ${run.contracts === 1 ? "contract" : "contracts"}.`;
  const pools = await listPools(db);
  return pools.length === 0
    ? `${named} is over. No pool counts yet, so nothing was posted.`
    : `${named} is over. It is before the first day that a pool counts from.`;
}
