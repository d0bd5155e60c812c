import type { Coin } from "../asset.ts";

/** What is shown of a business, each in coins and in dollars. */
export const figures = [
  "sold",
  "earned",
  "maintenance",
  "inactivity",
  "withdrawalFees",
  "ownShare",
  "networkFees",
] as const;
export type Figure = (typeof figures)[number];

/** An amount of each coin, and what that was worth at the last price of its day. */
export interface Sum {
  coins: Record<Coin, bigint>;
  /** Millionths of a dollar; null: of some coin no price is known. */
  usdMicros: bigint | null;
}

/** A UTC day, or a month of them. */
export interface BusinessRow {
  /** "2026-11-24", or "2026-11". */
  period: string;
  /** Where days were not noted one by one: the first day that is in its booked figures. It may be before the period. */
  since: string | null;
  /** Whether it goes on: today, or this month. */
  goesOn: boolean;
  booked: Record<Figure, Sum>;
  /** Of what was sold, what is not earned yet at the end; null: nobody noted it. */
  prepaid: Sum | null;
  /** The mining days that were credited in it. */
  credited: string[];
  /** What the pools paid for the days of the period. */
  poolsPaid: Sum;
  energy: { wattHours: bigint; usdMicros: bigint; lacksPrice: boolean };
  /**
   * Of days that are over, and noted: earned, maintenance, fees and own share less network fees and energy. "later": none is; null: a
   * price is missing.
   */
  leftUsdMicros: bigint | null | "later";
  /** Whether the ledger's entries of the month were taken out of the database. */
  isTakenOut: boolean;
}

export function noSum(): Sum {
  return { coins: { BTC: 0n, ETH: 0n, USDT: 0n }, usdMicros: 0n };
}

export function addSums(a: Sum, b: Sum): Sum {
  return {
    coins: {
      BTC: a.coins.BTC + b.coins.BTC,
      ETH: a.coins.ETH + b.coins.ETH,
      USDT: a.coins.USDT + b.coins.USDT,
    },
    usdMicros: a.usdMicros === null || b.usdMicros === null ? null : a.usdMicros + b.usdMicros,
  };
}

/** What is left of the booked income of a row after network fees and energy. */
export function leftOf(row: Pick<BusinessRow, "booked" | "energy">): bigint | null {
  const { earned, maintenance, inactivity, withdrawalFees, ownShare, networkFees } = row.booked;
  const income = [earned, maintenance, inactivity, withdrawalFees, ownShare].reduce(addSums);
  if (income.usdMicros === null || networkFees.usdMicros === null || row.energy.lacksPrice) {
    return null;
  }
  return income.usdMicros - networkFees.usdMicros - row.energy.usdMicros;
}
