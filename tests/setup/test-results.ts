import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { Reporter, TestModule, TestSuite } from "vitest/node";
import {
  addTo,
  firstLine,
  outsideTests,
  type Results,
  resultsFolder,
} from "../../scripts/testing/results.ts";

export const testResultsFile = path.join(resultsFolder, "tests.json");

/** Writes what became of Vitest's tests: also hooks that failed after their tests had passed, and errors that nobody waited for. */
export default class TestResults implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const results: Results = new Map();
    for (const module of modules) {
      const file = path.relative(process.cwd(), module.moduleId);
      takeErrors(results, file, module);
      for (const suite of module.children.allSuites()) {
        takeErrors(results, `${file} › ${suite.fullName}`, suite);
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        // A test that did not run, for whatever reason, has not passed.
        const error = state === "passed" ? null : firstLine(errors?.[0]?.message ?? state);
        addTo(results, `${file} › ${test.fullName.replaceAll(" > ", " ")}`, error);
      }
    }
    for (const { message } of unhandled) addTo(results, outsideTests, firstLine(message));
    writeFileSync(testResultsFile, JSON.stringify([...results]));
  }
}

function takeErrors(results: Results, name: string, its: TestModule | TestSuite): void {
  const [error] = its.errors();
  if (error) addTo(results, name, firstLine(error.message));
}
