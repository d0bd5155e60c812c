import { expect, test } from "vitest";
import { type ExplainedDay, explainDay } from "./explain-day.ts";

const before: ExplainedDay = {
  creditSats: 10_000n,
  servedPpm: 1_000_000n,
  btcUsdE8: 10_000_000_000_000n,
  reference: {
    difficulty: 150_000_000_000_000n,
    subsidySats: 312_500_000n,
    feesPerBlockSats: 0n,
  },
};
const harder = { ...before.reference, difficulty: 165_000_000_000_000n } as NonNullable<
  ExplainedDay["reference"]
>;

test("the same day again differs in nothing", () => {
  expect(explainDay(before, before)).toEqual([]);
});

test("half a day of downtime explains half of the credit, and nothing is left to the pools", () => {
  const day = { ...before, creditSats: 5_000n, servedPpm: 500_000n };
  expect(explainDay(day, before)).toEqual([
    { cause: "credit", permille: -500n },
    { cause: "downtime", permille: -500n },
  ]);
});

test("what difficulty and downtime do not explain is the pools'", () => {
  const day = { ...before, creditSats: 9_000n, reference: harder };
  expect(explainDay(day, before)).toEqual([
    { cause: "credit", permille: -100n },
    { cause: "difficulty", permille: 100n },
    { cause: "pools", permille: -10n },
  ]);
});

test.each([36n, 37n, 38n])("of %s satoshi a rounded one is not called luck", (creditSats) => {
  const day = { ...before, creditSats, reference: harder };
  const causes = explainDay(day, { ...before, creditSats: 41n }).map(({ cause }) => cause);
  expect(causes).toEqual(["credit", "difficulty"]);
});

test("the price changes the worth of a day and not its credit", () => {
  const day = { ...before, btcUsdE8: 9_000_000_000_000n };
  expect(explainDay(day, before)).toEqual([{ cause: "price", permille: -100n }]);
});

test.each([
  ["without figures of the network only downtime and price are named", { reference: null }],
  ["a day after one without any credit has nothing to be compared with", { creditSats: 0n }],
  ["a day after one without any hashrate does not divide by nothing", { servedPpm: 0n }],
])("%s", (_name, missing) => {
  const causes = explainDay(before, { ...before, ...missing }).map(({ cause }) => cause);
  expect(causes).not.toContain("difficulty");
});
