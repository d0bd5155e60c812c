import type { WalletChain, WalletKey } from "#core/wallet/wallet-key.ts";
import { askAboutAddresses } from "../../chain/ethereum/ask-about-addresses.ts";
import { EthereumNode } from "../../chain/ethereum/ethereum-node.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import { findDepositAddress } from "../../chain/wallets/find-deposit-address.ts";
import { ForeignAddress, recordForeignAddress } from "../../chain/wallets/foreign-address.ts";
import { issueDepositAddress } from "../../chain/wallets/issue-deposit-address.ts";
import type { Config } from "../../platform/config.ts";
import type { Db } from "../../platform/database.ts";
import type { Log } from "../../platform/log/log.ts";

interface Context {
  db: Db;
  config: Pick<Config, "coins" | "wallets" | "depositAddresses" | "ethereumChain">;
  log: Log;
}

/** Where a customer pays on a chain. */
export interface PaymentAddress {
  address: string;
  /** Whether it is his alone; else everybody pays there. */
  isOwn: boolean;
}

/**
 * Where a customer pays: at addresses of his own where the operator's wallet is open, else at the fixed ones. Null where
 * there is neither. The first time a customer asks, their addresses are issued; `onlyKnown` issues none. `checking`: the database
 * has an address for them that the configured key does not give. It is shown to nobody, and staff are told.
 */
export async function paymentAddresses(
  { db, config, log }: Context,
  { customerId, onlyKnown }: { customerId: string; onlyKnown: boolean },
  now: Date,
): Promise<Record<WalletChain, PaymentAddress | "checking" | null>> {
  const [bitcoin, ethereum] = await Promise.all(
    (["bitcoin", "ethereum"] as const).map(async (chain) => {
      if (chain === "ethereum" && !config.coins.some((coin) => coin !== "BTC")) return null;
      const key = config.wallets[chain];
      const find = (known: WalletKey) =>
        onlyKnown
          ? findDepositAddress(db, known, customerId)
          : issue({ db, config }, { key: known, customerId }, now);
      const own =
        key &&
        (await find(key).catch(async (error: unknown) => {
          if (!(error instanceof ForeignAddress)) throw error;
          log.error({ err: error }, "an address is not of our wallet");
          await recordForeignAddress(db, key, error, now);
          return "checking" as const;
        }));
      if (own === "checking") return own;
      if (own) return { address: own, isOwn: true };
      const address = config.depositAddresses[chain];
      return address === null ? null : { address, isOwn: false };
    }),
  );
  return { bitcoin: bitcoin ?? null, ethereum: ethereum ?? null };
}

/** Somebody waits for the page. */
const patienceMs = 4_000;

/**
 * On Ethereum the node is asked before: usually the worker has done so, else it is done here. While it does not answer, nobody gets
 * a new address.
 */
async function issue(
  { db, config }: Omit<Context, "log">,
  { key, customerId }: { key: WalletKey; customerId: string },
  now: Date,
): Promise<string | null> {
  const chain = key.chain === "ethereum" ? config.ethereumChain : null;
  if (!chain) return issueDepositAddress(db, key, customerId, now);
  const mustBeAsked = true;
  const issued = await issueDepositAddress(db, key, customerId, now, { mustBeAsked });
  if (issued) return issued;
  const node = new EthereumNode(chain.url, AbortSignal.timeout(patienceMs));
  const asked = { node, key, usdtContract: chain.usdtContract };
  try {
    await askAboutAddresses(db, asked, { limit: 2, now });
  } catch (error) {
    if (error instanceof NodeError) return null;
    throw error;
  }
  return issueDepositAddress(db, key, customerId, now, { mustBeAsked });
}
