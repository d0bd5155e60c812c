import { stripVTControlCharacters } from "node:util";

export const resultsFolder = "test-results";

/** What became of each test: its error in one line, or null where it passed. Its name begins with its file. */
export type Results = Map<string, string | null>;

export interface FailedTest {
  name: string;
  error: string;
}

/** What no test is blamed for and no second run takes back: an error that nobody waited for, say. */
export const outsideTests = "outside all tests";
/** So many failures are no accident: nothing is run again. */
export const tooManyFailures = 10;
/** So many tests that pass only the second time fail a run. */
export const tooManyFlaky = 4;

export function failuresIn(results: Results): FailedTest[] {
  return [...results].flatMap(([name, error]) => (error === null ? [] : [{ name, error }]));
}

/**
 * Takes what a second run says of tests that failed in the first. A file that could not be read stands in the first results by
 * itself, and its tests only in the second.
 */
export function takeSecondRun(first: Results, second: Results): { flaky: FailedTest[] } {
  const flaky = failuresIn(first).filter(({ name }) => {
    const own = [...second].filter(([each]) => each === name || each.startsWith(`${name} › `));
    return own.length > 0 && own.every(([, error]) => error === null);
  });
  for (const { name } of flaky) first.delete(name);
  for (const [name, error] of second) first.set(name, error);
  return { flaky };
}

/** Two tests of a file may have one name. */
export function addTo(results: Results, name: string, error: string | null): void {
  let free = name;
  for (let i = 2; results.has(free); i += 1) free = `${name} (${i})`;
  results.set(free, error);
}

/** What an error says, in one line: without the lines of code and of the stack that follow. */
export function inOneLine(message: string): string {
  const [said = ""] = stripVTControlCharacters(message).split(
    /\n\s*(?:>?\s*\d+ \||at |Call log:)/,
    1,
  );
  return said
    .replace(/\s*\n\s*/g, " ")
    .trim()
    .slice(0, 500);
}
