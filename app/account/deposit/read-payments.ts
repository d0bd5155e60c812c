import type { Coin } from "#core/asset.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { App } from "#server/app-context.ts";
import { findSource } from "#server/chain/find-source.ts";
import { confirmationsNeeded, isConfirmed, type Needed } from "#server/chain/payment.ts";
import { type CustomerPayment, listPayments } from "#server/deposits/payments/list-payments.ts";

/** A payment with what it waits for, and whether it has that. */
export type ShownPayment = CustomerPayment & { needed: Needed; isConfirmed: boolean };

/** A customer's payments on chain that are on their way; null: no one watches any chain. */
export async function readPayments({ db, config, now }: App, customerId: string) {
  const watched = watchedCoins(config);
  if (watched.length === 0) return null;
  const chains = [...new Set(watched.map(({ chain }) => chain))];
  const [payments, ...sources] = await Promise.all([
    listPayments(db, { customerId, now: now() }),
    ...chains.map((chain) => findSource(db, chain)),
  ]);
  return {
    payments: payments.map((payment) => withNeeded(config, payment)),
    /** Chains of which nothing is credited at this moment, because what they say cannot be used. */
    unreadable: chains.filter((_, i) => {
      const health = sources[i]?.health;
      return health !== "following" && health !== "catching-up";
    }),
    watched,
    /** Whether ether that a contract sends is missed. */
    missesContracts: config.ethereumChain?.traces === false,
  };
}
export type PaymentsOnChain = NonNullable<Awaited<ReturnType<typeof readPayments>>>;

/** The coins whose payments are seen, and what they wait for. */
function watchedCoins({ bitcoinChain, ethereumChain, confirmations }: App["config"]) {
  const of = (chain: WalletChain, asset: Coin) => ({ chain, asset, steps: confirmations[asset] });
  return [
    ...(bitcoinChain ? [of("bitcoin", "BTC")] : []),
    ...(ethereumChain ? [of("ethereum", "ETH")] : []),
    ...(ethereumChain?.usdtContract ? [of("ethereum", "USDT")] : []),
  ];
}

export function withNeeded(
  { confirmations }: Pick<App["config"], "confirmations">,
  payment: CustomerPayment,
): ShownPayment {
  const needed = confirmationsNeeded(confirmations[payment.asset], payment);
  return { ...payment, needed, isConfirmed: isConfirmed(payment, needed) };
}
