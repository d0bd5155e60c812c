import { writeHundredths } from "#core/decimal.ts";

/** Millionths as a percentage of two places, rounded down. */
export function percentOf(ppm: bigint): string {
  return `${writeHundredths(ppm / 100n)}%`;
}
