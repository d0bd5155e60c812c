import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { secretInDataDir } from "#server/platform/config/secrets.ts";
import { findRunningEmbeddedPostgres } from "#server/platform/database/embedded-postgres.ts";
import { openDatabase } from "#server/platform/database.ts";
import { openRequestMetrics } from "#server/platform/http/request-metrics.ts";
import { openLog } from "#server/platform/log/log.ts";
import { freePort } from "#tests/setup/free-port.ts";
import { buildWhenNeeded } from "../scripts/build-pages.ts";
import { type Running, startProduct } from "./load/children.ts";
import { asked, loadInTurn, middleOf, reportLoads } from "./load/load-in-turn.ts";
import { ownPlace } from "./load/place.ts";
import { processorTime } from "./load/processor-time.ts";
import { signIn } from "./load/sign-in.ts";
import { hold, printTable } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "30" },
    seconds: { type: "string", default: "2" },
  },
});
const plan = { rounds: Number(options.rounds), seconds: Number(options.seconds), connections: 4 };
const folder = mkdtempSync(path.join(tmpdir(), "assay-bench-"));
const one = "one web process";
const two = "two";
/** More often than Prometheus asks. */
const askEveryMs = 5_000;
const quietMs = 8 * askEveryMs;

console.log(`Node ${process.version}, ${cpus().length} CPUs`);
buildWhenNeeded();
const demo = await startProduct("demo", await ownPlace(folder, "demo"));
const webs: Running[] = [];
try {
  await compare();
} finally {
  await Promise.all(webs.map((web) => web.stop()));
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Web processes of their own beside the demo, on its database. */
async function compare(): Promise<void> {
  const dataDir = path.join(folder, "demo");
  const postgres = findRunningEmbeddedPostgres(dataDir);
  if (!postgres) throw new Error("the demo has its PostgreSQL");
  const web = async (env: Record<string, string>) => {
    const started = await startProduct("start", {
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      DATABASE_URL: postgres.applicationUrl,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      ROLE: "web",
      DEMO: "1",
      LOG_LEVEL: "warn",
      ...env,
    });
    webs.push(started);
    return started;
  };
  const started = {
    [one]: await web({ WEB_CONCURRENCY: "1" }),
    [two]: await web({ WEB_CONCURRENCY: "2" }),
  };
  const METRICS_PORT = String(await freePort());
  const measured = await web({ WEB_CONCURRENCY: "1", METRICS_PORT });
  const password = secretInDataDir(dataDir, "demo-password");
  const cookie = await signIn(started[one].url, "ada@example.com", password);
  const contenders = Object.entries(started).map(([name, { url, pid }]) => {
    return { name, url: `${url}/account/dashboard`, pid, cookie };
  });
  const loads = await loadInTurn(contenders, plan);
  console.log(`\n${asked(plan)}\nRequests for the dashboard of a customer:\n`);
  const ratio = reportLoads(loads, one);
  const work = "requests for the dashboard";
  hold({ work: `${work}, two web processes`, beside: one, figure: ratio(two), atLeast: 1 });

  const askForMetrics = () =>
    fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`).then((answer) => answer.text());
  const [unmeasured, withAsking] = await Promise.all([
    usedWhileQuiet(started[one].pid, async () => {}),
    usedWhileQuiet(measured.pid, askForMetrics),
  ]);
  const ofOne = loads.get(one) ?? [];
  const answerMs = middleOf(ofOne, (load) => load.processorMs ?? Number.NaN);
  const countMs = costOfCounting(postgres.applicationUrl);
  const askedMs = Math.max(0, withAsking - unmeasured) / middleOf(ofOne, (load) => load.perSecond);
  printTable(
    ["processor time of an answer", "us"],
    Object.entries({
      "the page": answerMs,
      "its count": countMs,
      "its part of asking": askedMs,
    }).map(([name, ms]) => [name, (ms * 1000).toFixed(1)]),
  );
  const figure = answerMs / (answerMs + countMs + askedMs);
  hold({ work: `${work}, with metrics`, beside: one, figure, atLeast: 0.98 });
}

/** Milliseconds of processor time a second of a process that nobody asks for pages. */
async function usedWhileQuiet(pid: number, ask: () => Promise<unknown>): Promise<number> {
  // Once before: the first has statements to prepare, and what was asked before leaves memory to collect.
  await ask();
  await wait(askEveryMs);
  const before = processorTime(pid);
  for (let passed = 0; passed < quietMs; passed += askEveryMs) {
    await ask();
    await wait(askEveryMs);
  }
  return ((processorTime(pid) - before) * 1_000) / (quietMs / 1_000);
}

/** Milliseconds of processor time for each counted request, of so few that Node has hardly compiled what counts them. */
function costOfCounting(databaseUrl: string): number {
  const log = openLog("warn");
  // Nothing is asked of it.
  const metrics = openRequestMetrics({ db: openDatabase(databaseUrl, log), log });
  const counts = 1_000;
  const before = process.cpuUsage();
  for (let at = 0; at < counts; at += 1) {
    metrics.count({ route: `/${at % 50}`, method: "GET", status: 200, kept: false, seconds: 0.01 });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / counts;
}
