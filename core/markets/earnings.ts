import { type Coin, coins } from "../asset.ts";

export interface Earnings {
  asset: Coin;
  mined: bigint;
  /** Fees and contract prices as positive amounts. */
  fees: bigint;
  contracts: bigint;
  net: bigint;
}

interface Totals {
  minedSats: bigint;
  feesSats: bigint;
  /** What contracts cost, in the coins that were paid. */
  paidUnits: Partial<Record<Coin, bigint>>;
}

/** The honest line per coin: mined - fees - paid for contracts = net. Bitcoin always, others where they paid. */
export function deriveEarnings({ minedSats, feesSats, paidUnits }: Totals): Earnings[] {
  const moved = coins.filter((coin) => coin === "BTC" || paidUnits[coin] !== undefined);
  return moved.map((asset) => {
    const [mined, fees] = asset === "BTC" ? [minedSats, feesSats] : [0n, 0n];
    const contracts = paidUnits[asset] ?? 0n;
    return { asset, mined, fees, contracts, net: mined - fees - contracts };
  });
}

/** Account Profit in cents, to the nearest, halves away from zero. */
export function profitCents(usdMicros: bigint): bigint {
  const half = usdMicros < 0n ? -5_000n : 5_000n;
  return (usdMicros + half) / 10_000n;
}
