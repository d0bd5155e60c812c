import { expect, test } from "vitest";
import { failuresIn, inOneLine, type Results, takeSecondRun } from "./results.ts";

const results = (all: Record<string, string | null>): Results => new Map(Object.entries(all));

test("what fails twice has failed, and what passes the second time is flaky by its first error", () => {
  const first = results({ "a › one": null, "a › two": "was late", "b › three": "is wrong" });
  const second = results({ "a › one": null, "a › two": null, "b › three": "is still wrong" });
  expect(takeSecondRun(first, second)).toEqual({
    flaky: [{ name: "a › two", error: "was late" }],
  });
  expect(failuresIn(first)).toEqual([{ name: "b › three", error: "is still wrong" }]);
  expect(first.size).toBe(3);
});

test("a file that could not be read is flaky once all of its tests pass, and they count", () => {
  const first = results({ "a.test.ts": "no database" });
  const second = results({ "a.test.ts › one": null, "a.test.ts › two": null });
  expect(takeSecondRun(first, second).flaky).toEqual([{ name: "a.test.ts", error: "no database" }]);
  expect([...first.keys()]).toEqual(["a.test.ts › one", "a.test.ts › two"]);
});

test("a failure of which the second run says nothing stays one", () => {
  const first = results({ "a › one": "was late", "b.test.ts": "no database" });
  const second = results({ "b.test.ts › two": "no database" });
  expect(takeSecondRun(first, second).flaky).toEqual([]);
  expect(failuresIn(first).map(({ name }) => name)).toEqual([
    ...["a › one", "b.test.ts", "b.test.ts › two"],
  ]);
});

test("a test that breaks only in the second run fails the run", () => {
  const first = results({ "a › one": null, "a › two": "was late" });
  const second = results({ "a › one": "needs another test", "a › two": null });
  takeSecondRun(first, second);
  expect(failuresIn(first)).toEqual([{ name: "a › one", error: "needs another test" }]);
});

test("an error is said in one line, with what was expected and without code", () => {
  const said = `\u001b[31mError: expect(received).toMatch(expected)\u001b[39m

Expected pattern: /is posted/
Received string:  "1 Dec is not posted"

   70 |   // A morning
>  71 |   expect(it).toMatch(/is posted/);
    at somewhere.ts:71`;
  expect(inOneLine(said)).toBe(
    'Error: expect(received).toMatch(expected) Expected pattern: /is posted/ Received string:  "1 Dec is not posted"',
  );
});
