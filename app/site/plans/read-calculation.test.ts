import { expect, test } from "vitest";
import { calculationFields, readCalculation } from "./read-calculation.ts";

const read = (query: string) => readCalculation(new URLSearchParams(query));

test("an empty address has assumptions, and takes price and network as observed", () => {
  const { calculation, errors } = read("");
  expect(errors).toEqual({});
  expect(calculation).toMatchObject({
    quantity: 1,
    btcUsdE8: null,
    difficulty: null,
    feesPerBlockSats: null,
    difficultyGrowthPpm: 20_000n,
    priceChangePpm: 0n,
    uptimePpm: 970_000n,
    own: null,
  });
});

test("an offer that is not typed to its end has no figures: none of them counts as nothing", () => {
  const { calculation, errors } = read("plan=own&ths=100&days=365&fee=0.04");
  expect(calculation.own).toBeNull();
  expect(Object.keys(errors)).toEqual(["cost"]);
});

test("what is typed is taken exactly", () => {
  const { calculation, errors } = read(
    "plan=own&quantity=3&ths=12.5&days=90&cost=1,200.50&fee=0.04&price=$91,234.50&difficulty=150.84&fees=0.05&growth=-1.5&change=50&uptime=99.9",
  );
  expect(errors).toEqual({});
  expect(calculation).toEqual({
    quantity: 3,
    btcUsdE8: 9_123_450_000_000n,
    difficulty: 150_840_000_000_000n,
    feesPerBlockSats: 5_000_000n,
    difficultyGrowthPpm: -15_000n,
    priceChangePpm: 500_000n,
    uptimePpm: 999_000n,
    own: { ghs: 12_500n, termDays: 90, priceUsdCents: 120_050n, feeUsdMicros: 40_000n },
  });
});

test.each([
  ["quantity", "0"],
  ["quantity", "1e3"],
  ["quantity", "__proto__"],
  ["price", "-1"],
  ["price", "constructor"],
  ["difficulty", "0"],
  ["difficulty", "NaN"],
  ["fees", "1000"],
  ["growth", "21"],
  ["change", "-100"],
  ["uptime", "49.9"],
  ["uptime", "<script>"],
])("what cannot be is said beside its field, and kept: %s=%s", (field, value) => {
  const { typed, errors } = read(new URLSearchParams({ [field]: value }).toString());
  expect(Object.keys(errors)).toEqual([field]);
  expect(typed).toMatchObject({ [field]: value });
});

test("figures of one's own are asked for only in place of a plan, and nothing else is read", () => {
  expect(read("ths=x&days=x").errors).toEqual({});
  expect(Object.keys(read("plan=own").errors)).toEqual(["ths", "days", "cost", "fee"]);
  const { typed } = read("toString=1&__proto__=2");
  expect(Object.keys(typed)).toEqual([...calculationFields]);
});
