import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "#server/platform/config/read-config.ts";
import { buildWhenNeeded } from "../scripts/build-pages.ts";
import { auditPages } from "./load/audit-pages.ts";
import { startProduct } from "./load/children.ts";
import { compareDashboard } from "./load/compare-dashboard.ts";
import { compareRequests } from "./load/compare-requests.ts";
import { ownPlace, untilPricesAreThere } from "./load/place.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "lighthouse,requests,dashboard" },
    runs: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
  },
});
const wanted = options.only.split(",");
const load = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
const folder = mkdtempSync(path.join(tmpdir(), "assay-bench-"));

const { webProcesses } = readConfig({ ...process.env, DATA_DIR: folder });
console.log(`Node ${process.version}, ${cpus().length} CPUs, WEB_CONCURRENCY=${webProcesses}`);
buildWhenNeeded();
try {
  if (wanted.includes("lighthouse")) await auditPages(folder, Number(options.runs));
  if (wanted.includes("requests") || wanted.includes("dashboard")) await putLoad();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The demo has everything that a page can show, and customers. */
async function putLoad(): Promise<void> {
  const env = { ...(await ownPlace(folder, "demo")), LOG_LEVEL: "info" };
  const demo = await startProduct("demo", env);
  try {
    await untilPricesAreThere(demo.url);
    if (wanted.includes("requests"))
      await compareRequests(demo.url, folder, { ...load, connections: 10 });
    if (wanted.includes("dashboard"))
      await compareDashboard(demo.url, env.DATA_DIR, { ...load, connections: 4 });
  } finally {
    await demo.stop();
  }
}
