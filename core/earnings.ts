import { type Coin, coins } from "./asset.ts";

/** The movements that make a profit or a loss, and what contracts cost. */
export const earningKinds = [
  "mining-credit",
  "mining-correction",
  "maintenance-fee",
  "inactivity-fee",
] as const;
export const contractKinds = ["contract-purchase", "contract-refund"] as const;

export interface Earnings {
  asset: Coin;
  mined: bigint;
  /** Fees and contract prices as positive amounts. */
  fees: bigint;
  contracts: bigint;
  net: bigint;
}

interface MovementTotal {
  kind: string;
  asset: Coin;
  units: bigint;
  entries: number;
}

/** The honest line per coin: mined - fees - paid for contracts = net. Bitcoin always, others where they moved. */
export function deriveEarnings(totals: readonly MovementTotal[]): Earnings[] {
  const moved = coins.filter(
    (coin) => coin === "BTC" || totals.some(({ asset }) => asset === coin),
  );
  return moved.map((asset) => {
    const sum = (kinds: readonly string[]) =>
      totals
        .filter((total) => total.asset === asset && kinds.includes(total.kind))
        .reduce((units, total) => units + total.units, 0n);
    const mined = sum(["mining-credit", "mining-correction"]);
    const fees = -sum(["maintenance-fee", "inactivity-fee"]);
    const contracts = -sum(contractKinds);
    return { asset, mined, fees, contracts, net: mined - fees - contracts };
  });
}

/** Account Profit in cents, to the nearest, halves away from zero. */
export function profitCents(usdMicros: bigint): bigint {
  const half = usdMicros < 0n ? -5_000n : 5_000n;
  return (usdMicros + half) / 10_000n;
}
