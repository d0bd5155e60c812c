import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { sealTransfers } from "../../server/ledger/seal-transfers.ts";
import { verifyLedger } from "../../server/ledger/verify/verify-ledger.ts";
import {
  type EmbeddedPostgres,
  readPostmaster,
  startEmbeddedPostgres,
} from "../../server/platform/database/embedded-postgres.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { type Db, openDatabase } from "../../server/platform/database.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { freePort } from "../setup/free-port.ts";
import { isLong, within } from "../setup/slowness.ts";
import { withoutDocuments } from "../setup/test-database.ts";
import { type Asked, addUp, askAgain, expectExactlyOnce, type Outcome } from "./ask-again.ts";
import { post } from "./posting-load.ts";

/** Work with a PostgreSQL of one's own, which may be killed, and the product's pool on it. */
async function withPostgres(
  flags: string[],
  work: (postgres: EmbeddedPostgres, db: Db) => Promise<void>,
) {
  // On a disk, as customers' coins are: what other tests write may lie in memory.
  const folder = mkdtempSync("/var/tmp/assay-killed-");
  const postgres = await startEmbeddedPostgres(folder, { flags });
  try {
    await migrate(postgres.ownerUrl);
    await withoutDocuments(postgres.ownerUrl);
    const db = openDatabase(postgres.applicationUrl, openLog("silent"));
    try {
      await work(postgres, db);
    } finally {
      await db.$client.end();
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The postmaster first, so that it cannot end its backends in good order; then all of them. */
function killAll(postmaster: number): void {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // A backend that was about to end has ended.
    }
  }
}

/** Posts from 12 clients, kills PostgreSQL under them, and waits until the application posts again by itself. */
async function killUnderLoad(postgres: EmbeddedPostgres, db: Db, everything: Set<string>) {
  const before: Asked = { asked: new Set(), told: new Map() };
  let dead = false;
  let tellAlive: (() => void) | undefined;
  const alive = new Promise<void>((resolve) => {
    tellAlive = resolve;
  });
  let going = true;
  const posting = post(
    db,
    12,
    {
      asked: (key) => {
        everything.add(key);
        if (!dead) before.asked.add(key);
      },
      told: (key, transferId) => {
        if (before.asked.has(key)) before.told.set(key, transferId);
        // Only what was asked for after the fault shows that the application is ready again.
        else tellAlive?.();
      },
    },
    () => going,
  );
  await expect.poll(() => before.told.size, { interval: 5 }).toBeGreaterThan(60);
  await wait(Math.random() * 60);
  killAll(postgres.pid);
  dead = true;
  const inDoubt = before.asked.size - before.told.size;
  const killedAt = performance.now();
  await alive;
  const readyAfterMs = performance.now() - killedAt;
  going = false;
  await posting;
  expect(inDoubt, "requests in doubt when PostgreSQL died").toBeGreaterThan(0);
  return { ...(await askAgain(db, before)), readyAfterMs };
}

const kills = isLong ? 20 : 1;
const title = `PostgreSQL killed under load (${kills} in this run) loses nothing that was acknowledged, and the application is ready again by itself`;
test(title, async ({ annotate }) => {
  await withPostgres([], async (postgres, db) => {
    const everything = new Set<string>();
    const outcomes: (Outcome & { readyAfterMs: number })[] = [];
    for (let kill = 1; kill <= kills; kill += 1) {
      outcomes.push(await killUnderLoad(postgres, db, everything));
      if (kill % 5 === 1) await sealTransfers(db, new Date());
    }
    const { acknowledged, lost, inDoubt, inDoubtPosted } = addUp(outcomes);
    const slowestMs = Math.max(...outcomes.map(({ readyAfterMs }) => readyAfterMs));
    await annotate(
      `${kills} kills: ${inDoubt} requests in doubt, of which ${inDoubtPosted} had been posted; ${acknowledged} acknowledged, ${lost} lost; ready again after at most ${Math.round(slowestMs)} ms`,
    );
    expect(lost).toBe(0);
    expect(slowestMs, "it is by itself that it is ready again").toBeLessThan(within(20_000));
    expect(db.$client.totalCount, "connections that are gone are not counted").toBeLessThanOrEqual(
      db.$client.idleCount,
    );
    await askAgain(db, { asked: everything, told: new Map() });
    await expectExactlyOnce(db, everything);
    await sealTransfers(db, new Date());
    expect((await verifyLedger(db)).filter(({ holds }) => !holds)).toEqual([]);
  });
});

/** That the first test would find what is lost. */
async function findsLost({ annotate }: TestContext): Promise<void> {
  const unsafe = ["-c", "synchronous_commit=off", "-c", "wal_writer_delay=10s"];
  await withPostgres(unsafe, async (postgres, db) => {
    let lost = 0;
    let kills = 0;
    while (lost === 0 && kills < 6) {
      kills += 1;
      lost += (await killUnderLoad(postgres, db, new Set())).lost;
    }
    await annotate(`${lost} acknowledged transfers lost within ${kills} kills`);
    expect(lost).toBeGreaterThan(0);
  });
}
if (isLong)
  test("the same test finds lost transfers where commits do not wait for the disk", findsLost);

test("a PostgreSQL that a killed product left is started again where it dies while it is taken over", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "assay-taken-over-"));
  onTestFinished(() => {
    const running = readPostmaster(path.join(folder, "postgres"));
    if (running) process.kill(running.pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const [port, checkPort] = [await freePort(), await freePort()];
  const left = spawn(process.execPath, [
    "scripts/fleet/database.ts",
    ...[folder, String(port), String(checkPort)],
  ]);
  const check = () => fetch(`http://127.0.0.1:${checkPort}/primary`).catch(() => null);
  await expect.poll(async () => (await check())?.status).toBe(200);
  left.kill("SIGKILL");
  const { pid } = readPostmaster(path.join(folder, "postgres")) ?? {};
  if (!pid) throw new Error("it runs");
  // It is there, and answers nobody.
  process.kill(pid, "SIGSTOP");
  const takingOver = startEmbeddedPostgres(folder);
  await wait(within(500));
  process.kill(pid, "SIGKILL");
  const postgres = await takingOver;
  expect(postgres.pid).not.toBe(pid);
  await postgres.stop();
});
