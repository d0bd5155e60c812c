/** The coins customers hold and the currency values are shown in. */
export const assets = ["BTC", "ETH", "USDT", "USD"] as const;
export type Asset = (typeof assets)[number];

/** The assets that can stand in the ledger: USD is a unit of account, never a balance. */
export const coins = ["BTC", "ETH", "USDT"] as const;
export type Coin = (typeof coins)[number];

/** The coins that somebody is shown: those that the site offers, and what is there of the others until it is gone. */
export function shownCoins(
  offered: readonly Coin[],
  balances: Record<Coin, { available: bigint; held: bigint }>,
): Coin[] {
  return coins.filter(
    (coin) => offered.includes(coin) || balances[coin].available > 0n || balances[coin].held > 0n,
  );
}

/** Decimal places of an asset's smallest unit: satoshi, wei, micro-USDT, cent. */
export const decimals: Record<Asset, number> = { BTC: 8, ETH: 18, USDT: 6, USD: 2 };
