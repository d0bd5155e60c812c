import { expect, test } from "vitest";
import { within } from "#tests/setup/slowness.ts";
import { OutsideFailure, parseOutsideJson, readBounded } from "./ask-outside.ts";

const parse = (text: string) => parseOutsideJson(Buffer.from(text));

test.each([
  '{"a":[1,{"b":"[[["}],"c":"\\\\"}',
  `["${"[".repeat(1_000)}", "\\"${"{".repeat(1_000)}"]`,
  JSON.stringify({ hex: "ab".repeat(100_000), list: [[[]]] }),
  `${"[".repeat(64)}${"]".repeat(64)}`,
])("reads JSON whose brackets are in its texts: %#", (text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

test.each([
  ["deeper than any answer", `${"[".repeat(65)}${"]".repeat(65)}`],
  ["a million open brackets", "[".repeat(1_000_000)],
  ["a million objects in each other", '{"a":'.repeat(1_000_000)],
  ["a text that does not end", '["abc'],
  ["nothing", ""],
  ["words", "<html>"],
])("refuses what is %s", (_, text) => {
  const started = performance.now();
  expect(() => parse(text)).toThrow(OutsideFailure);
  expect(performance.now() - started).toBeLessThan(within(500));
});

test("reads a stream whole, and no further than its limit", async () => {
  let given = 0;
  async function* stream() {
    for (; given < 10; given += 1) yield Buffer.alloc(100, given);
  }
  await expect(readBounded(stream(), 350)).rejects.toMatchObject({ fault: "too-large" });
  expect(given).toBeLessThan(5);
  given = 0;
  expect(await readBounded(stream(), 1_000)).toHaveLength(1_000);
});
