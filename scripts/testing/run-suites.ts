import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { testResultsFile } from "../../tests/setup/test-results.ts";
import {
  addTo,
  type FailedTest,
  failuresIn,
  inOneLine,
  outsideTests,
  type Results,
  resultsFolder,
} from "./results.ts";

/** Milliseconds. A test that never gives the loop back has no timeout of its own, and would hold everything up without a word. */
const longest = 90 * 60_000;

/** One of the two kinds of tests, with its runner. */
export interface Suite {
  /** The tests whose path names one of the rooms; all of them without. */
  run(rooms: string[]): Results;
  /** What failed, by itself: nothing else runs beside it. */
  runAgain(failed: FailedTest[]): Results;
}

/** Everything beside the code that it is about, by Vitest. */
export function testsIn(env: NodeJS.ProcessEnv): Suite {
  const run = (args: string[]): Results => {
    // One line for each file, so that what hangs is the one that is missing.
    const reporters = ["--reporter=default", "--reporter=./tests/setup/test-results.ts"];
    const all = ["run", ...reporters, "--passWithNoTests", ...args];
    const read = (results: [string, string | null][]) => new Map(results);
    return runAndRead("vitest/vitest.mjs", all, { env, file: testResultsFile, read });
  };
  return {
    run,
    runAgain: (failed) => run(["--maxWorkers=1", ...filesOf(failed)]),
  };
}

/** What people do in a browser, by Playwright. */
export function journeysIn(env: NodeJS.ProcessEnv): Suite {
  const run = (args: string[]): Results =>
    runAndRead("@playwright/test/cli.js", ["test", ...args], {
      env,
      file: path.join(resultsFolder, "journeys.json"),
      read: readJourneys,
    });
  return {
    run: (rooms) => run(rooms.length > 0 ? ["--pass-with-no-tests", ...rooms] : []),
    runAgain: () => run(["--last-failed", "--workers=1"]),
  };
}

function runAndRead<Report>(
  script: string,
  args: string[],
  { env, file, read }: { env: NodeJS.ProcessEnv; file: string; read(report: Report): Results },
): Results {
  rmSync(file, { force: true });
  const { status, error } = spawnSync(
    process.execPath,
    [path.join("node_modules", script), ...args],
    { stdio: "inherit", timeout: longest, env },
  );
  const results = existsSync(file) ? read(JSON.parse(readFileSync(file, "utf8"))) : new Map();
  // A runner that ends badly without a failed test has something else to say, which stands above.
  if (status !== 0 && failuresIn(results).length === 0) {
    results.set(script, error?.message ?? `ended with ${status} and no failed test`);
  }
  return results;
}

interface JourneySuite {
  specs: {
    file: string;
    title: string;
    ok: boolean;
    tests: { status: string; results: { error?: { message: string } }[] }[];
  }[];
  suites?: JourneySuite[];
}

interface JourneyReport {
  suites: JourneySuite[];
  errors: { message?: string }[];
}

function readJourneys({ suites, errors }: JourneyReport): Results {
  const results: Results = new Map();
  for (const { message = "" } of errors) addTo(results, outsideTests, inOneLine(message));
  for (const { file, title, tests } of suites.flatMap(specsOf)) {
    const [its] = tests;
    const message = its?.results.at(-1)?.error?.message ?? its?.status ?? "did not run";
    const error = its?.status === "expected" ? null : inOneLine(message);
    addTo(results, `tests/e2e/${file} › ${title}`, error);
  }
  return results;
}

function specsOf({ specs, suites = [] }: JourneySuite): JourneySuite["specs"] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function filesOf(failed: FailedTest[]): string[] {
  return [...new Set(failed.map(({ name }) => name.split(" › ", 1)[0] ?? name))];
}
