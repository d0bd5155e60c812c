import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { secretInDataDir } from "#server/platform/config/secrets.ts";
import { findRunningEmbeddedPostgres } from "#server/platform/database/embedded-postgres.ts";
import { freePort } from "#tests/setup/free-port.ts";
import { buildWhenNeeded } from "../scripts/build-pages.ts";
import { type Running, startProduct } from "./load/children.ts";
import { asked, loadInTurn, middleOf, reportLoads } from "./load/load-in-turn.ts";
import { ownPlace } from "./load/place.ts";
import { signIn } from "./load/sign-in.ts";
import { hold } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "60" },
    seconds: { type: "string", default: "2" },
  },
});
const plan = { rounds: Number(options.rounds), seconds: Number(options.seconds), connections: 4 };
const folder = mkdtempSync(path.join(tmpdir(), "assay-bench-"));
const one = "one web process";
const measured = "one that is measured";
const two = "two";

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
  const METRICS_PORT = String(await freePort());
  const started = {
    [one]: await web({ WEB_CONCURRENCY: "1" }),
    [measured]: await web({ WEB_CONCURRENCY: "1", METRICS_PORT }),
    [two]: await web({ WEB_CONCURRENCY: "2" }),
  };
  const password = secretInDataDir(dataDir, "demo-password");
  const cookie = await signIn(started[one].url, "ada@example.com", password);
  const contenders = Object.entries(started).map(([name, { url, pid }]) => {
    return { name, url: `${url}/account/dashboard`, pid, cookie };
  });
  // More often than Prometheus asks.
  const asking = setInterval(
    () =>
      fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`).then(
        (answer) => answer.text(),
        () => "",
      ),
    5_000,
  );
  const loads = await loadInTurn(contenders, plan).finally(() => clearInterval(asking));
  console.log(`\n${asked(plan)}\nRequests for the dashboard of a customer:\n`);
  const ratio = reportLoads(loads, one);
  const work = "requests for the dashboard";
  const used = (name: string) =>
    middleOf(loads.get(name) ?? [], (load) => load.processorMs ?? Number.NaN);
  console.log(`Each takes ${used(one).toFixed(1)} ms of the web process's processor time.\n`);
  hold({ work: `${work}, with metrics`, beside: one, figure: ratio(measured), atLeast: 0.98 });
  hold({
    work: `${work}, processor time with metrics`,
    beside: one,
    figure: used(measured) / used(one),
    atMost: 1.02,
  });
  hold({ work: `${work}, two web processes`, beside: one, figure: ratio(two), atLeast: 1 });
}
