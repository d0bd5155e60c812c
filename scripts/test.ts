import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { ensureBrowser } from "../tests/setup/find-browser.ts";
import { buildWhenNeeded } from "./build.ts";
import { runChecks } from "./checks.ts";
import { ensureBitcoind } from "./get-bitcoind.ts";
import { quickFolder } from "./quick-folder.ts";

/** `npm test` runs everything; `npm test -- deposits` runs the tests whose path names that room. */
const rooms = process.argv.slice(2);
const results = "test-results";
rmSync(results, { recursive: true, force: true });
mkdirSync(results);

let passed = 0;
let failed = 0;

if (rooms.length === 0) {
  ({ passed, failed } = await runChecks());
}
// Once, before test files that want a node run side by side.
ensureBitcoind();
process.env["TMPDIR"] = quickFolder();
runTests();
runJourneys();

// The closing line, read by people and by continuous integration.
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function runTests(): void {
  const file = path.join(results, "tests.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const status = run("vitest/vitest.mjs", ["run", ...reporters, "--passWithNoTests", ...rooms]);
  const report = read<{
    numPassedTests: number;
    numTotalTests: number;
    testResults: { status: string; assertionResults: unknown[] }[];
  }>(file);
  if (!report) {
    failed += 1;
    return;
  }
  passed += report.numPassedTests;
  // A test that did not run, for whatever reason, has not passed.
  failed += report.numTotalTests - report.numPassedTests;
  const broken = report.testResults.filter(
    (each) => each.status === "failed" && each.assertionResults.length === 0,
  );
  failed += broken.length;
  if (status !== 0 && failed === 0) failed += 1;
}

function runJourneys(): void {
  ensureBrowser();
  buildWhenNeeded();
  const file = path.join(results, "journeys.json");
  const filters = rooms.length > 0 ? ["--pass-with-no-tests", ...rooms] : [];
  const status = run("@playwright/test/cli.js", ["test", ...filters]);
  const report = read<{
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  }>(file);
  if (!report) {
    failed += status === 0 ? 0 : 1;
    return;
  }
  passed += report.stats.expected;
  failed += report.stats.unexpected + report.stats.flaky + report.stats.skipped;
  if (status !== 0 && failed === 0) failed += 1;
}

function run(script: string, args: string[]): number | null {
  const file = path.join("node_modules", script);
  return spawnSync(process.execPath, [file, ...args], {
    stdio: "inherit",
  }).status;
}

function read<Report>(file: string): Report | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : null;
}
