import type { Coin } from "#core/asset.ts";
import type { CoinTerms } from "#core/payments/withdrawal.ts";
import type { Config } from "../platform/config.ts";

/** What applies to the coins that can be withdrawn here; the others are missing. */
export type OfferedTerms = Partial<Record<Coin, CoinTerms>>;

/**
 * Ether and USDT leave from an address of the operator's, with an Ethereum node, USDT through a contract: they must be
 * configured. Bitcoin can be asked for in any case: its wallet may be configured until tomorrow.
 */
export function offeredTerms({
  withdrawals: { coins, hotWalletAddress },
  ethereumChain,
}: Pick<Config, "withdrawals" | "ethereumChain">): OfferedTerms {
  const { BTC, ETH, USDT } = coins;
  const terms: OfferedTerms = { BTC: termsOf(BTC) };
  if (!hotWalletAddress || !ethereumChain) return terms;
  const { usdtContract } = ethereumChain;
  return { ...terms, ETH: termsOf(ETH), ...(usdtContract && { USDT: termsOf(USDT) }) };
}

function termsOf({ feeUnits, minimumUnits }: CoinTerms): CoinTerms {
  return { feeUnits, minimumUnits };
}
