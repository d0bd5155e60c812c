import { utcDay } from "#core/utc-day.ts";
import type { LineFault } from "./statement-line.ts";

/** Places behind the point that are read; the rest of a longer fraction is less than anything that is kept. */
const places = 12;
const one = 10n ** BigInt(places);

/**
 * A number of a pool's file in 10^-12, rounded down. Grouped ("1,234.5", "1 234,5"), or with a decimal comma: where both
 * marks stand the last one is the decimal's, and a single kind of mark is read as the file's delimiter allows. Null when it
 * is none.
 */
export function readNumber(text: string, delimiter: string): bigint | null {
  const bare = text.replace(/[\s\u00a0\u202f']/g, "");
  const plain = withPoint(bare, delimiter);
  const match = /^\+?(\d{1,20})?(?:\.(\d*))?(?:[eE]([+-]?\d{1,2}))?$/.exec(plain);
  if (!match || (match[1] === undefined && !match[2])) return null;
  const [, whole = "0", fraction = "", exponent = "0"] = match;
  const shift = places + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

function withPoint(text: string, delimiter: string): string {
  const lastComma = text.lastIndexOf(",");
  const lastPoint = text.lastIndexOf(".");
  if (lastComma < 0) {
    return /^\d{1,3}(\.\d{3}){2,}$/.test(text) ? text.replaceAll(".", "") : text;
  }
  if (lastPoint > lastComma) return text.replaceAll(",", "");
  if (lastPoint >= 0) return text.replaceAll(".", "").replace(",", ".");
  // Only commas. In a file that is not delimited by them they are decimal, unless there are several.
  const grouped = /^[1-9]\d{0,2}(,\d{3})+$/.test(text);
  const several = text.indexOf(",") !== lastComma;
  return grouped && (delimiter === "," || several)
    ? text.replaceAll(",", "")
    : text.replace(",", ".");
}

/** An amount in satoshi, rounded down. `unit` is what the column says, BTC where it says nothing. */
export function readSats(text: string, unit: string | null, delimiter: string): bigint | null {
  const match = /^(.*?)\s*(btc|₿|sats?|satoshis?)?$/i.exec(text.trim());
  const number = readNumber(match?.[1] ?? "", delimiter);
  if (number === null) return null;
  const isSats = /^sat/i.test(match?.[2] ?? unit ?? "btc");
  return isSats ? number / one : (number * 100_000_000n) / one;
}

const hashes: Record<string, bigint> = {
  h: 1n,
  kh: 10n ** 3n,
  mh: 10n ** 6n,
  gh: 10n ** 9n,
  th: 10n ** 12n,
  ph: 10n ** 15n,
  eh: 10n ** 18n,
};

/** How many hashes a second a unit is: "PH/s", "Gh/s", "th". Null when it is none. */
function hashesOf(unit: string | null): bigint | null {
  const name = (unit ?? "")
    .trim()
    .toLowerCase()
    .replace(/(\/s|ps|\/sec)$/, "");
  return hashes[name] ?? null;
}

/** A hashrate in GH/s, rounded down. The unit stands behind the number, or in the column's head, or in a column of its own. */
export function readGhs(
  text: string,
  unit: string | null,
  delimiter: string,
): bigint | Extract<LineFault, "not-a-hashrate" | "hashrate-without-unit"> {
  const match = /^(.*?)\s*([kmgtpe]?h(?:\/s|ps|\/sec)?)?$/i.exec(text.trim());
  const number = readNumber(match?.[1] ?? "", delimiter);
  if (number === null) return "not-a-hashrate";
  const each = hashesOf(match?.[2] ?? unit);
  if (each === null) return number === 0n ? 0n : "hashrate-without-unit";
  return (number * each) / one / 10n ** 9n;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * The UTC day that a line is about. A moment is one only at 00:00 UTC: a pool that counts its days otherwise would have
 * its payouts shared by the wrong hashrate.
 */
export function readDay(
  text: string,
): { day: string } | Extract<LineFault, "not-a-day" | "not-a-utc-day"> {
  const value = text.trim();
  if (/^\d{10}(\d{3})?$/.test(value)) {
    return dayOf(new Date(Number(value) * (value.length === 10 ? 1000 : 1)));
  }
  const match =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i.exec(
      named(value),
    );
  if (!match) return "not-a-day";
  const [, year, month, date, hour = "0", minute = "0", second = "0", zone = "Z"] = match;
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(.\d{2}):?(\d{2})$/, "$1:$2") : "Z";
  const two = (part: string | undefined) => (part ?? "").padStart(2, "0");
  const day = `${year}-${two(month)}-${two(date)}`;
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || utcDay(midnight) !== day) return "not-a-day";
  return dayOf(new Date(`${day}T${two(hour)}:${two(minute)}:${two(second)}${offset}`));
}

/** "20 Nov 2026" and "Nov 20, 2026" as 2026-11-20. Only numbers, such as 11/12/2026, could be either of two days. */
function named(text: string): string {
  return text
    .replace(/^(\d{1,2})\.?\s+([a-z]{3})[a-z]*\.?,?\s+(\d{4})/i, (all, date, month, year) =>
      withMonth(all, year, month, date),
    )
    .replace(/^([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})/i, (all, month, date, year) =>
      withMonth(all, year, month, date),
    );
}

function withMonth(all: string, year: string, month: string, date: string): string {
  const index = months.indexOf(month.toLowerCase());
  return index < 0 ? all : `${year}-${index + 1}-${date}`;
}

function dayOf(at: Date): { day: string } | "not-a-day" | "not-a-utc-day" {
  if (Number.isNaN(at.getTime())) return "not-a-day";
  return at.getTime() % 86_400_000 === 0 ? { day: utcDay(at) } : "not-a-utc-day";
}
