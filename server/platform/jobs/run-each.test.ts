import { expect, test } from "vitest";
import { inPages, runEach } from "./run-each.ts";

test("one that fails stops no other, and is thrown at the end", async () => {
  const done: number[] = [];
  const work = async (nth: number) => {
    if (nth === 2) throw new Error("the second fails");
    done.push(nth);
  };
  await expect(runEach([1, 2, 3], work)).rejects.toThrow("the second fails");
  expect(done).toEqual([1, 3]);
  await expect(runEach([2, 2], work)).rejects.toMatchObject({ errors: [{}, {}] });
  await runEach([], work);
});

test("a first page that stays holds up nothing behind it", async () => {
  const all = ["a", "b", "c", "d", "e"].map((id) => ({ id }));
  const read = async (after: string) => all.filter(({ id }) => id > after).slice(0, 2);
  const asked: string[] = [];
  const fails = async ({ id }: { id: string }) => {
    asked.push(id);
    throw new Error(id);
  };
  await expect(runEach(inPages(read), fails)).rejects.toMatchObject({ errors: { length: 5 } });
  expect(asked).toEqual(["a", "b", "c", "d", "e"]);
});
