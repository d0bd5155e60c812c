import fc from "fast-check";
import { expect, test } from "vitest";
import { agreeOnPrice, type GivenQuote, quoteMaxAgeMs } from "./agree-on-price.ts";
import { medianOf } from "./median.ts";

const askedAt = new Date("2025-03-01T12:00:00Z");
const quote = (source: string, usd: number, ageMs = 0): GivenQuote => ({
  source,
  usdE8: BigInt(Math.round(usd * 1e8)),
  quotedAt: new Date(askedAt.getTime() - ageMs),
});
const agree = (quotes: GivenQuote[], needed = 2) => agreeOnPrice(quotes, { needed, askedAt });
const verdicts = (quotes: GivenQuote[]) =>
  Object.fromEntries(agree(quotes).quotes.map(({ source, verdict }) => [source, verdict]));

test("takes the median of exchanges that agree", () => {
  const found = agree([quote("a", 100), quote("b", 100.2), quote("c", 100.1)]);
  expect(found).toMatchObject({ usdE8: 100_1000_0000n, trouble: null, answered: 3, agreed: 3 });
});

test("leaves out an exchange that is more than 1 % off, to either side", () => {
  expect(verdicts([quote("a", 100), quote("b", 100.1), quote("wild", 101.2)])).toEqual({
    a: "agreed",
    b: "agreed",
    wild: "outlier",
  });
  const found = agree([quote("a", 100), quote("b", 100.1), quote("wild", 0.01)]);
  expect(found).toMatchObject({ usdE8: 100_0500_0000n, answered: 3, agreed: 2 });
});

test("exactly 1 % off still agrees", () => {
  expect(agree([quote("a", 100), quote("b", 100), quote("c", 101)]).agreed).toBe(3);
  expect(agree([quote("a", 100), quote("b", 100), quote("c", 101.00000001)]).agreed).toBe(2);
});

test("leaves out quotes that are too old, or of the future", () => {
  const old = quote("old", 100, quoteMaxAgeMs + 1);
  const future = quote("future", 100, -61_000);
  expect(verdicts([quote("a", 100), old, future])).toMatchObject({ old: "stale", future: "stale" });
  expect(agree([quote("a", 100), old, future])).toMatchObject({
    usdE8: null,
    trouble: "too-few-sources",
  });
});

test.each([
  ["nobody", []],
  ["one exchange", [quote("a", 100)]],
])("makes no price of %s", (_who, quotes) => {
  expect(agree(quotes)).toMatchObject({ usdE8: null, trouble: "too-few-sources" });
});

test.each([
  ["two that contradict each other", [quote("a", 100), quote("b", 103)]],
  ["two camps", [quote("a", 1), quote("b", 1), quote("c", 9), quote("d", 9)]],
  [
    "a minority that agrees by chance",
    [quote("a", 80), quote("b", 90), quote("c", 100), quote("d", 100), quote("e", 120)],
  ],
])("makes no price of %s", (_who, quotes) => {
  expect(agree(quotes)).toMatchObject({ usdE8: null, trouble: "sources-disagree" });
});

const price = fc.bigInt({ min: 1n, max: 10n ** 20n });
const someQuotes = fc.array(
  fc.record({ usdE8: price, ageMs: fc.integer({ min: -200_000, max: 400_000 }) }),
  { maxLength: 9 },
);
const asQuotes = (given: Array<{ usdE8: bigint; ageMs: number }>) =>
  given.map(({ usdE8, ageMs }, i) => ({ ...quote(`s${i}`, 1, ageMs), usdE8 }));

test("a price always lies among the quotes that agreed, and they are a majority of the fresh ones", () => {
  fc.assert(
    fc.property(someQuotes, fc.integer({ min: 1, max: 4 }), (given, needed) => {
      const found = agree(asQuotes(given), needed);
      if (found.usdE8 === null) {
        expect(found.trouble).not.toBeNull();
        return;
      }
      const agreed = found.quotes.filter(({ verdict }) => verdict === "agreed");
      const { usdE8 } = found;
      expect(agreed.some((other) => other.usdE8 <= usdE8)).toBe(true);
      expect(agreed.some((other) => other.usdE8 >= usdE8)).toBe(true);
      expect(agreed.length).toBeGreaterThanOrEqual(needed);
      expect(agreed.length * 2).toBeGreaterThan(found.answered);
    }),
  );
});

test("the order in which exchanges answer changes nothing", () => {
  fc.assert(
    fc.property(someQuotes, (given) => {
      const quotes = asQuotes(given);
      expect(agree(quotes.toReversed()).usdE8).toBe(agree(quotes).usdE8);
    }),
  );
});

test("fewer than half of the exchanges cannot move the price out of what the others say, whatever they say", () => {
  const honestSpread = fc.bigInt({ min: -40n, max: 40n });
  fc.assert(
    fc.property(
      fc.bigInt({ min: 10n ** 6n, max: 10n ** 16n }),
      fc.array(honestSpread, { minLength: 2, maxLength: 6 }),
      fc.array(price, { maxLength: 5 }),
      (around, spreads, lies) => {
        fc.pre(lies.length < spreads.length);
        const honest = spreads.map((spread) => around + (around * spread) / 10_000n);
        const quotes = asQuotes([...honest, ...lies].map((usdE8) => ({ usdE8, ageMs: 0 })));
        const { usdE8 } = agree(quotes);
        if (usdE8 === null) throw new Error("the honest ones agree");
        expect(honest.some((value) => value <= usdE8)).toBe(true);
        expect(honest.some((value) => value >= usdE8)).toBe(true);
      },
    ),
  );
});

test("the median lies in the middle, and half-way between two", () => {
  expect(medianOf([3n, 1n, 2n])).toBe(2n);
  expect(medianOf([4n, 1n, 2n, 3n])).toBe(2n);
  expect(medianOf([7n])).toBe(7n);
  expect(() => medianOf([])).toThrow();
  fc.assert(
    fc.property(fc.array(price, { minLength: 1 }), (values) => {
      const middle = medianOf(values);
      const half = values.length / 2;
      expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(half);
      expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(half);
    }),
  );
});
