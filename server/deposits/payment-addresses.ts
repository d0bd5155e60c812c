import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { issueDepositAddress } from "../chain/issue-deposit-address.ts";
import { findDepositAddress } from "../chain/queries.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";

/** Where a customer pays on a chain. */
export interface PaymentAddress {
  address: string;
  /** Whether it is his alone; else everybody pays there. */
  isOwn: boolean;
}

/**
 * Where a customer pays: at addresses of his own where the operator's wallet is open, else at the fixed ones. Null where
 * there is neither. The first time a customer asks, his addresses are issued; `onlyKnown` issues none.
 */
export async function paymentAddresses(
  { db, config }: { db: Db; config: Pick<Config, "coins" | "wallets" | "depositAddresses"> },
  { customerId, onlyKnown }: { customerId: string; onlyKnown: boolean },
  now: Date,
): Promise<Record<WalletChain, PaymentAddress | null>> {
  const [bitcoin, ethereum] = await Promise.all(
    (["bitcoin", "ethereum"] as const).map(async (chain) => {
      if (chain === "ethereum" && !config.coins.some((coin) => coin !== "BTC")) return null;
      const key = config.wallets[chain];
      const ownAddress = onlyKnown ? findDepositAddress : issueDepositAddress;
      const own = key && (await ownAddress(db, key, customerId, now));
      if (own) return { address: own, isOwn: true };
      const address = config.depositAddresses[chain];
      return address === null ? null : { address, isOwn: false };
    }),
  );
  return { bitcoin: bitcoin ?? null, ethereum: ethereum ?? null };
}
