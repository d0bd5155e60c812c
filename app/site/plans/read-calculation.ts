import { commaWords, hasOddComma, withoutGrouping } from "#core/decimal.ts";
import { parseAmount } from "#core/money.ts";
import { parseUsd } from "#core/price.ts";

/** What the calculator's form was sent with, as it was typed: shown again, whatever it says. */
export const calculationFields = [
  "plan",
  "quantity",
  "ths",
  "days",
  "cost",
  "fee",
  "price",
  "difficulty",
  "fees",
  "growth",
  "change",
  "uptime",
] as const;
export type CalculationField = (typeof calculationFields)[number];
export type Typed = Record<CalculationField, string>;

/** Figures of one's own in place of a plan. */
export const ownFigures = "own";

export interface Calculation {
  quantity: number;
  /** Typed in place of what was observed; null: take what was observed. */
  btcUsdE8: bigint | null;
  difficulty: bigint | null;
  feesPerBlockSats: bigint | null;
  difficultyGrowthPpm: bigint;
  priceChangePpm: bigint;
  uptimePpm: bigint;
  /** Of an offer that is none of the plans; null until all four are typed. */
  own: { ghs: bigint; termDays: number; priceUsdCents: bigint; feeUsdMicros: bigint } | null;
}

const initial: Partial<Record<CalculationField, string>> = {
  quantity: "1",
  growth: "2",
  change: "0",
  uptime: "97",
};

/** Reads an address. What is wrong is said per field, and what was typed is kept. */
export function readCalculation(params: URLSearchParams): {
  typed: Typed;
  calculation: Calculation;
  errors: Partial<Record<CalculationField, string>>;
} {
  const typed = Object.fromEntries(
    calculationFields.map((name) => [
      name,
      (params.get(name) ?? initial[name] ?? "").trim().slice(0, 40),
    ]),
  ) as Typed;
  const errors: Partial<Record<CalculationField, string>> = {};
  const read = <T>(name: CalculationField, value: T | null, fallback: T, words: string): T => {
    if (value !== null) return value;
    errors[name] = hasOddComma(typed[name]) ? `${commaWords}.` : words;
    return fallback;
  };
  const optional = (name: CalculationField, value: bigint | null, words: string) =>
    typed[name] === "" ? null : read(name, value, null, words);
  const readOwn = (): Calculation["own"] => {
    const ghs = read("ths", terahashes(typed.ths), null, "In TH/s, from 0.001 to 100,000.");
    const termDays = read(
      "days",
      whole(typed.days, 1, 1825),
      null,
      "A whole number from 1 to 1,825.",
    );
    const priceUsdCents = read("cost", cents(typed.cost), null, "Dollars, such as 1200.00.");
    const feeUsdMicros = read("fee", micros(typed.fee), null, "Dollars, such as 0.04.");
    if (ghs === null || termDays === null || priceUsdCents === null || feeUsdMicros === null)
      return null;
    return { ghs, termDays, priceUsdCents, feeUsdMicros };
  };
  const calculation: Calculation = {
    quantity: read(
      "quantity",
      whole(typed.quantity, 1, 100_000),
      1,
      "A whole number from 1 to 100,000.",
    ),
    btcUsdE8: optional("price", dollars(typed.price), "A price in dollars, such as 91234.50."),
    difficulty: optional(
      "difficulty",
      trillions(typed.difficulty),
      "In trillions, such as 150.84.",
    ),
    feesPerBlockSats: optional("fees", bitcoin(typed.fees), "In BTC, such as 0.05."),
    difficultyGrowthPpm: read(
      "growth",
      percent(typed.growth, -20, 20),
      20_000n,
      "Per cent from -20 to 20.",
    ),
    priceChangePpm: read(
      "change",
      percent(typed.change, -99, 1000),
      0n,
      "Per cent from -99 to 1000.",
    ),
    uptimePpm: read("uptime", percent(typed.uptime, 50, 100), 970_000n, "Per cent from 50 to 100."),
    own: typed.plan === ownFigures ? readOwn() : null,
  };
  return { typed, calculation, errors };
}

function whole(text: string, least: number, most: number): number | null {
  const plain = withoutGrouping(text);
  if (!/^\d{1,9}$/.test(plain)) return null;
  const number = Number(plain);
  return number >= least && number <= most ? number : null;
}

function percent(text: string, least: number, most: number): bigint | null {
  const match = /^([+-]?)(\d{1,4})(?:\.(\d{0,4}))?\s*%?$/.exec(text);
  if (!match) return null;
  const [, sign, units = "0", decimals = ""] = match;
  const ppm = BigInt(units) * 10_000n + BigInt(decimals.padEnd(4, "0"));
  const signed = sign === "-" ? -ppm : ppm;
  return signed >= BigInt(least) * 10_000n && signed <= BigInt(most) * 10_000n ? signed : null;
}

function dollars(text: string): bigint | null {
  const usdE8 = parseUsd(withoutGrouping(text.replace(/^\$\s*/, "")));
  return usdE8 !== null && usdE8 < 10n ** 18n ? usdE8 : null;
}

/** Trillions are 10^12. */
function trillions(text: string): bigint | null {
  const match = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(withoutGrouping(text));
  if (!match) return null;
  const difficulty = BigInt((match[1] ?? "0") + (match[2] ?? "").padEnd(12, "0"));
  return difficulty > 0n ? difficulty : null;
}

function bitcoin(text: string): bigint | null {
  const sats = parseAmount(text, "BTC");
  return sats !== null && sats <= 10_000_000_000n ? sats : null;
}

function terahashes(text: string): bigint | null {
  const match = /^(\d{1,6})(?:\.(\d{1,3}))?$/.exec(withoutGrouping(text));
  if (!match) return null;
  const ghs = BigInt((match[1] ?? "0") + (match[2] ?? "").padEnd(3, "0"));
  return ghs >= 1n && ghs <= 100_000_000n ? ghs : null;
}

function cents(text: string): bigint | null {
  const amount = parseAmount(text, "USD");
  return amount !== null && amount <= 10_000_000_000n ? amount : null;
}

function micros(text: string): bigint | null {
  const match = /^\$?\s*(\d{1,2})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return null;
  const amount = BigInt((match[1] ?? "0") + (match[2] ?? "").padEnd(6, "0"));
  return amount <= 10_000_000n ? amount : null;
}
