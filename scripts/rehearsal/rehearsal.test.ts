import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { simulatedMarket } from "../../server/markets/simulation/simulated-market.ts";
import { readBraiins } from "../../server/payouts/braiins/read-braiins.ts";
import { ensureLibfaketime } from "../programs/get-libfaketime.ts";
import { clockEnvironment, hasRehearsalClock, readDaysAhead, setDaysAhead } from "./clock.ts";
import { RehearsalPool, startPool } from "./pool.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-rehearsal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const dayMs = 86_400_000;

test("a process that was started with the rehearsal's clock lives some days ahead, and jumps when it is set", () => {
  const dataDir = path.join(folder, "clock");
  expect([hasRehearsalClock(dataDir), readDaysAhead(dataDir)]).toEqual([false, 0]);
  setDaysAhead(dataDir, 2);
  expect([hasRehearsalClock(dataDir), readDaysAhead(dataDir)]).toEqual([true, 2]);
  // Sets the clock as the rehearsal does, and looks again.
  const script = `
    const fs = require("node:fs");
    const file = process.env.FAKETIME_TIMESTAMP_FILE;
    const before = Date.now();
    fs.writeFileSync(file + "-new", "+3d\\n");
    fs.renameSync(file + "-new", file);
    console.log(JSON.stringify([before, Date.now()]));`;
  // This test may live at another moment itself: npm test -- --at=TIME.
  const { FAKETIME: _, LD_PRELOAD: __, ...own } = process.env;
  const run = (code: string, env: NodeJS.ProcessEnv) =>
    JSON.parse(execFileSync(process.execPath, ["-e", code], { env, encoding: "utf8" }));
  const machines: number = run("console.log(Date.now())", own);
  const clock = clockEnvironment(dataDir, ensureLibfaketime());
  const [before, after]: [number, number] = run(script, { ...own, ...clock });
  const daysFromNow = (ms: number) => Math.round((ms - machines) / dayMs);
  expect([daysFromNow(before), daysFromNow(after)]).toEqual([2, 3]);
});

test("the pool pays a day once, keeps to it, and tells of it as Braiins Pool does", async () => {
  const market = simulatedMarket(() => new Date("2026-03-10T12:00:00Z"), "2026-03-10");
  const pool = new RehearsalPool(folder, market);
  expect(pool.payDay("2026-03-09", 0n)).toBe(0n);
  const sats = pool.payDay("2026-03-10", 1_400_000n);
  expect(sats > 50_000n && sats < 100_000n).toBe(true);
  expect(new RehearsalPool(folder, market).payDay("2026-03-10", 2_800_000n)).toBe(sats);
  const server = await startPool(pool);
  const ask = async (address: string) =>
    new Uint8Array(await (await fetch(server.url + address)).arrayBuffer());
  const rewards = await ask("/accounts/rewards/json/btc?from=2026-03-01&to=2026-03-31");
  const hashrates = await ask("/accounts/hash_rate_daily/json/group/btc");
  await server.stop();
  const [day, ...others] = readBraiins({ rewards, hashrates });
  expect(others).toEqual([]);
  expect(day).toMatchObject({ day: "2026-03-10", units: sats });
  expect(Number(day?.deliveredGhs) / 1_400_000).toBeCloseTo(0.98, 1);
});

test("a folder that holds an installation is left as it is", () => {
  const dataDir = mkdtempSync(path.join(folder, "installation-"));
  writeFileSync(path.join(dataDir, "auth-secret"), "kept");
  const { status, stderr } = spawnSync(process.execPath, ["scripts/rehearse.ts"], {
    env: { ...process.env, REHEARSAL_DIR: dataDir },
    encoding: "utf8",
    timeout: 20_000,
  });
  expect([status, stderr.trim()]).toEqual([
    1,
    `REHEARSAL_DIR ${dataDir} holds something else: name an empty folder.`,
  ]);
  expect(readdirSync(dataDir)).toEqual(["auth-secret"]);
});

test("a rehearsal of mainnet is refused in one line", () => {
  const env = { ...process.env, NETWORK: "mainnet", REHEARSAL_DIR: path.join(folder, "never") };
  const { status, stderr } = spawnSync(process.execPath, ["scripts/rehearse.ts"], {
    env,
    encoding: "utf8",
  });
  expect([status, stderr.trim()]).toEqual([
    1,
    "NETWORK must not be mainnet for a rehearsal: its clock is moved.",
  ]);
});
