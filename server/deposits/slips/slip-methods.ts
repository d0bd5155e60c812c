import type { Coin } from "#core/asset.ts";
import { coinOfMethod, type DepositMethod, depositMethods } from "#core/payments/deposit.ts";
import type { Config } from "../../platform/config.ts";

type Settings = Pick<Config, "coins" | "slips" | "wallets" | "bitcoinChain" | "ethereumChain">;

/**
 * The methods by which a customer may hand in a payment slip: of the coins that the site offers those whose payments are
 * not all credited from the chain, or all of them where the operator wants slips.
 */
export function slipMethods(config: Settings): DepositMethod[] {
  return depositMethods.filter((method) => {
    const coin = coinOfMethod[method];
    if (!config.coins.includes(coin)) return false;
    return config.slips === "always" || !creditsFromChain(config, coin);
  });
}

/** An address of the customer's own and a node that sees every payment to it: also what contracts send, of ether. */
function creditsFromChain({ wallets, bitcoinChain, ethereumChain }: Settings, coin: Coin): boolean {
  if (coin === "BTC") return wallets.bitcoin !== null && bitcoinChain !== null;
  if (wallets.ethereum === null || ethereumChain === null) return false;
  return coin === "ETH" ? ethereumChain.traces : ethereumChain.usdtContract !== null;
}
