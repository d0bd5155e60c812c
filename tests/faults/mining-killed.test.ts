import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { verifyLedger } from "../../server/ledger/verify/verify-ledger.ts";
import { postMiningDay } from "../../server/mining/days/post-mining-day.ts";
import { verifyMining } from "../../server/mining/verify-mining.ts";
import { creditTestDeposit } from "../factories/credited-deposit.ts";
import { dayAfter } from "../factories/mining.ts";
import { createMiningSite, nightAfter } from "../factories/mining-site.ts";
import { testDatabase } from "../setup/test-database.ts";

const { db, owner, applicationUrl } = await testDatabase();
const first = "2026-03-01";
const customers = 24;
const site = await createMiningSite(db, { firstDay: first });
for (let nth = 0; nth < customers; nth += 1) {
  const { id } = await site.customer({ quantity: 1 + (nth % 3) });
  await creditTestDeposit(db, id, 1_000_000n, { now: new Date("2026-02-28T11:00:00Z") });
}

interface Poster {
  process: ChildProcess;
  said: string[];
  ready: Promise<unknown>;
  gone: Promise<unknown>;
}

function startPoster(day: string): Poster {
  const script = path.join(import.meta.dirname, "mining-day.ts");
  const child = spawn(
    process.execPath,
    [script, applicationUrl, day, nightAfter(day).toISOString()],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const said: string[] = [];
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on("data", (text) => {
      said.push(...String(text).trim().split("\n"));
      if (said.includes("ready")) resolve();
    });
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  return { process: child, said, ready, gone };
}

/** Opens a day with a chunk for each customer or so, that processes have something to take from each other. */
async function openInSmallChunks(day: string): Promise<void> {
  await site.pay(day, 10_000n, 100_000n);
  await owner.query("select mining_open_day($1, $2, null, 1)", [day, nightAfter(day)]);
}

async function expectOnce(day: string): Promise<void> {
  const { rows } = await owner.query(
    `select count(*)::int as transfers, count(distinct key)::int as keys, count(distinct owner_id)::int as owners
       from ledger_transfers where day = $1 and kind in ('mining-credit', 'maintenance-fee')`,
    [day],
  );
  expect(rows[0]).toEqual({ transfers: 2 * customers, keys: 2 * customers, owners: customers });
  const checks = [...(await verifyLedger(db)), ...(await verifyMining(db))];
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
}

test.each([
  [2, 0],
  [4, 1],
])("%i processes that post a day at once credit it once", async (processes, nth) => {
  const day = dayAfter(first, nth);
  await openInSmallChunks(day);
  const posters = Array.from({ length: processes }, () => startPoster(day));
  await Promise.all(posters.map(({ ready }) => ready));
  for (const { process } of posters) process.stdin?.write("go\n");
  await Promise.all(posters.map(({ gone }) => gone));
  const ends = posters.map(({ said }) => said.at(-1));
  expect(ends.filter((end) => end === "closed")).toHaveLength(1);
  expect(ends.filter((end) => end === "done")).toHaveLength(processes - 1);
  await expectOnce(day);
});

test("a process killed in the middle of a day leaves whole chunks; another goes on without a double or a gap", async ({
  annotate,
}) => {
  const day = dayAfter(first, 2);
  await openInSmallChunks(day);
  // Somebody holds a customer: whoever works at his chunk is in the middle of it when it is killed.
  const holder = await owner.connect();
  await holder.query("begin");
  await holder.query(
    `select from ledger_accounts where account = 'available' and asset = 'BTC'
        and owner_id = (select first_customer_id from mining_chunks where day = $1 and number = 9) for update`,
    [day],
  );
  const { rows: held } = await holder.query("select pg_backend_pid() as pid");
  const doomed = startPoster(day);
  await doomed.ready;
  doomed.process.stdin?.write("go\n");
  const waiting =
    "select count(*)::int as count from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
  const waits = async () => (await owner.query(waiting, [held[0].pid])).rows[0].count;
  await expect.poll(waits, { interval: 20 }).toBeGreaterThan(0);
  doomed.process.kill("SIGKILL");
  await doomed.gone;
  const chunks = async () => {
    const { rows } = await owner.query(
      "select count(posted_at)::int as posted, count(*)::int as all from mining_chunks where day = $1",
      [day],
    );
    return rows[0] as { posted: number; all: number };
  };
  await holder.query("rollback");
  holder.release();
  // Its statements may outlive it for a moment; then the chunk is as if nobody had begun.
  const others =
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and usename <> current_user and xact_start is not null";
  await expect
    .poll(async () => (await owner.query(others)).rows[0].count, { interval: 20 })
    .toBe(0);
  const { posted, all } = await chunks();
  await annotate(`killed with ${posted} of ${all} chunks posted`);
  expect(all).toBe(customers);
  expect(posted).toBeGreaterThan(0);
  expect(posted, "chunks in doubt when it died").toBeLessThan(all);
  expect(await postMiningDay(db, day, nightAfter(day))).toEqual({ posted: true });
  await expectOnce(day);
});

test("the same test finds a double where a chunk is forgotten to be posted", async () => {
  const day = dayAfter(first, 3);
  await openInSmallChunks(day);
  await owner.query("select mining_post_chunk($1, $2)", [day, nightAfter(day)]);
  await owner.query("update mining_chunks set posted_at = null where day = $1", [day]);
  await expect(postMiningDay(db, day, nightAfter(day))).rejects.toMatchObject({
    constraint: expect.stringMatching(
      /one_transfer_per_key|one_receipt_per_contract_and_day|_pkey/,
    ),
  });
});
