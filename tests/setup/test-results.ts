import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import {
  addTo,
  inOneLine,
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
      const file = module.relativeModuleId;
      // A hook's error is the file's: a second run makes it good when all of the file's tests pass.
      const [broken] = [module, ...module.children.allSuites()].flatMap((each) => each.errors());
      if (broken) addTo(results, file, inOneLine(broken.message));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        // A test that did not run, for whatever reason, has not passed.
        const error = state === "passed" ? null : inOneLine(errors?.[0]?.message ?? state);
        addTo(results, `${file} › ${test.fullName}`, error);
      }
    }
    for (const { message } of unhandled) addTo(results, outsideTests, inOneLine(message));
    writeFileSync(testResultsFile, JSON.stringify([...results]));
  }
}
