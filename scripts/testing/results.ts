/** What became of each test: the first line of its error, or null where it passed. Its name begins with its file. */
export type Results = Map<string, string | null>;

export interface FailedTest {
  name: string;
  error: string;
}

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
