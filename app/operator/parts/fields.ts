import { parseDecimal, withoutGrouping } from "#core/decimal.ts";
import { oldPage } from "#core/form-fields.ts";
import { parseThs } from "#core/mining/hashrate.ts";
import { parseAmount } from "#core/money.ts";
import { isDay } from "#core/utc-day.ts";
import { z } from "#core/zod.ts";
import { parsed, withoutNul } from "./parsed-text.ts";

/** A line of text that must be there. */
export function words(missing: string, maxLength: number) {
  return z.string(missing).check(
    z.overwrite((text) => withoutNul(text).trim()),
    z.minLength(1, missing),
    z.maxLength(maxLength, `At most ${maxLength} characters`),
  );
}

export const id = z.uuid(oldPage);

/** Says of what a form was made. */
export const mark = z.string(oldPage).check(z.maxLength(200, oldPage));

export const day = (missing = "Choose a day") =>
  parsed(
    missing,
    (text) => (isDay(text.trim()) ? text.trim() : null),
    "Write a day, such as 2026-12-01",
  );

export const hashrate = (missing: string) =>
  parsed(missing, parseThs, "Write TH/s with at most 3 decimals, such as 104.5");

export const btc = (missing: string) =>
  parsed(missing, (text) => parseAmount(text, "BTC"), "Write BTC with at most 8 decimals");

export const usd = (missing: string) =>
  parsed(missing, (text) => parseAmount(text, "USD"), "Write dollars and cents, such as 13.50");

export const signedUsd = (missing: string) =>
  parsed(missing, signed(2), "Write dollars and cents; below zero with a minus");

/** Dollars to the millionth, such as 0.0412. */
export const usdMicros = (missing: string) =>
  parsed(missing, micros, "Write dollars with at most 6 decimals, such as 0.0412");

export const signedUsdMicros = (missing: string) =>
  parsed(missing, signed(6), "Write dollars with at most 6 decimals; below zero with a minus");

function micros(text: string): bigint | null {
  return parseDecimal(text.trim().replace(/^\$\s*/, ""), 6);
}

function signed(places: number): (text: string) => bigint | null {
  return (text) => {
    const bare = text.trim().replace(/^([-−]?)\s*\$\s*/, "$1");
    const negative = /^[-−]/.test(bare);
    const value = parseDecimal(bare.replace(/^[-−]\s*/, ""), places);
    return value !== null && negative ? -value : value;
  };
}

export const whole = (missing: string, most: number) =>
  parsed(
    missing,
    (text) => {
      const plain = withoutGrouping(text);
      return /^\d{1,10}$/.test(plain) && Number(plain) <= most ? Number(plain) : null;
    },
    `A whole number, at most ${most.toLocaleString("en-US")}`,
  );

/** A moment in UTC, as an input of the kind datetime-local writes it. */
export const utcMoment = (missing: string) =>
  parsed(missing, readMoment, "Write a day and a time in UTC, such as 2026-12-01 18:00");

function readMoment(text: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?$/.exec(text.trim());
  if (!match?.[1] || !isDay(match[1])) return null;
  const at = new Date(`${match[1]}T${match[2]}${match[3] ?? ":00"}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
