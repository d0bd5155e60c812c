import { beforeEach, expect, test } from "vitest";
import type { Db } from "./database.ts";
import { memoizeFor } from "./memoize-for.ts";

const [one, other] = [{}, {}] as [Db, Db];
const start = new Date("2026-01-01T00:00:00Z");
const after = (ms: number) => new Date(start.getTime() + ms);
let readings = 0;
let failing = false;

const read = memoizeFor(
  5_000,
  (key: string) => key,
  async (_db, key) => {
    readings += 1;
    if (failing) throw new Error("away");
    return `${key} ${readings}`;
  },
);

beforeEach(() => {
  readings = 0;
  failing = false;
});

test("all who ask the same within the time share one reading", async () => {
  const answers = await Promise.all([read(one, "a", start), read(one, "a", after(4_999))]);
  expect(answers).toEqual(["a 1", "a 1"]);
});

test("who asks later, something else, of another database, or at an earlier time reads anew", async () => {
  await read(one, "b", start);
  expect(await read(one, "b", after(5_000))).toBe("b 2");
  expect(await read(one, "c", after(5_000))).toBe("c 3");
  expect(await read(other, "b", after(5_000))).toBe("b 4");
  expect(await read(one, "b", start)).toBe("b 5");
});

test("a reading that failed is not shared with who asks after it", async () => {
  failing = true;
  await expect(read(one, "d", start)).rejects.toThrow("away");
  failing = false;
  expect(await read(one, "d", start)).toBe("d 2");
});
