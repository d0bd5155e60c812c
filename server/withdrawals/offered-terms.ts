import type { Coin } from "#core/asset.ts";
import type { CoinTerms } from "#core/withdrawal.ts";
import type { Config } from "../platform/config.ts";

/** What applies to the coins that can be withdrawn here; the others are missing. */
export type OfferedTerms = Partial<Record<Coin, CoinTerms>>;

/**
 * Ether and USDT leave from an address of the operator's that must be configured, USDT through a contract that must be
 * known, too. Bitcoin can be asked for in any case: its wallet may be configured until tomorrow.
 */
export function offeredTerms({
  withdrawals: { coins, payerAddress },
  usdtContract,
}: Pick<Config, "withdrawals" | "usdtContract">): OfferedTerms {
  const { BTC, ETH, USDT } = coins;
  return {
    BTC: termsOf(BTC),
    ...(payerAddress && { ETH: termsOf(ETH) }),
    ...(payerAddress && usdtContract && { USDT: termsOf(USDT) }),
  };
}

function termsOf({ feeUnits, minimumUnits }: CoinTerms): CoinTerms {
  return { feeUnits, minimumUnits };
}
