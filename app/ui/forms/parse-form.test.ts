import { expect, test } from "vitest";
import { z } from "#core/zod.ts";
import { within } from "#tests/setup/slowness.ts";
import { parseForm } from "./parse-form.ts";

const schema = z.object({ email: z.string(), note: z.optional(z.string()) });

function parse(fields: Array<[string, string]>) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return parseForm(form, { schema });
}

test("a form is read by its schema, with what was typed", () => {
  expect(parse([["email", "a@example.com"]])).toMatchObject({
    status: "success",
    value: { email: "a@example.com" },
  });
  const wrong = parse([["note", "typed"]]);
  expect(wrong.status).toBe("error");
  expect(wrong.reply().initialValue).toEqual({ note: "typed" });
});

test.each([
  ["the 120,000,000th of a list", "email[120000000]"],
  ["the last that a list can have", "email[4294967294]"],
  ["a path of 20,000 steps", `a${".b".repeat(20_000)}`],
  ["lists in lists", `a${"[]".repeat(20_000)}`],
  ["lists in lists, with places", `a${"[9]".repeat(20_000)}`],
  ["a broken path", "email[["],
  ["a prototype", "__proto__"],
  ["a prototype's part", "__proto__.polluted"],
  ["a constructor", "constructor"],
  ["what every object has", "toString"],
  ["a long word", "a".repeat(65)],
  ["nothing", ""],
])("%s is no name of a field", (_, name) => {
  const before = process.memoryUsage();
  const started = process.cpuUsage();
  const read = parse([
    ["email", "a@example.com"],
    [name, "1"],
  ]);
  const { user } = process.cpuUsage(started);
  const after = process.memoryUsage();
  expect(read).toMatchObject({ status: "success", value: { email: "a@example.com" } });
  expect(read.reply().initialValue).toEqual({ email: "a@example.com" });
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  // It costs nothing to speak of. The bounds are generous: ten million places take five seconds and a gigabyte.
  expect(user / 1000).toBeLessThan(within(1000));
  expect(after.rss - before.rss).toBeLessThan(100_000_000);
});

test.each([
  '{"type":"update","payload":{"name":"email[4294967294]","value":"1"}}',
  '{"type":"insert","payload":{"name":"email","index":4294967294}}',
  "not JSON",
])("what only the page in a browser tells the library is not taken from a form: %s", (said) => {
  for (const name of ["__intent__", "__state__"]) {
    expect(
      parse([
        ["email", "a@example.com"],
        [name, said],
      ]),
    ).toMatchObject({ status: "success", value: { email: "a@example.com" } });
  }
});

test("of a field that is repeated 60,000 times, 2,000 are looked at", () => {
  const read = parse(Array.from({ length: 60_000 }, () => ["email", "a"]));
  expect(read.status).toBe("error");
  expect(read.reply().initialValue?.["email"]).toHaveLength(2000);
});
