import { type Coin, coins } from "./asset.ts";

/** The movements that make a profit or a loss, and what contracts cost. */
export const earningKinds = ["mining-credit", "maintenance-fee", "inactivity-fee"] as const;
export const contractKinds = ["contract-purchase"] as const;

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
    const mined = sum(["mining-credit"]);
    const fees = -sum(["maintenance-fee", "inactivity-fee"]);
    const contracts = -sum(contractKinds);
    return { asset, mined, fees, contracts, net: mined - fees - contracts };
  });
}

/**
 * Account Profit in dollars: mining credits minus fees, each at the price of its own day. Null while one of
 * them has no price: a figure that cannot be worked out is not shown as 0.
 */
export function deriveProfitCents(totals: readonly MovementTotal[]): bigint | null {
  const kinds: readonly string[] = earningKinds;
  return totals.some(({ kind, entries }) => kinds.includes(kind) && entries > 0) ? null : 0n;
}
