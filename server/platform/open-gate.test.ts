import { expect, test } from "vitest";
import { openGate } from "./open-gate.ts";

test("runs so many at a time, in order, and goes on after a failure", async () => {
  const through = openGate(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 9 }, (_, n) =>
      through(async () => {
        started.push(n);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (n % 3 === 0) throw new Error("failed");
      }),
    ),
  );
  expect(most).toBe(2);
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(3);
});
