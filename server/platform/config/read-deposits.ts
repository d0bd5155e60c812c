import { type Coin, coins } from "#core/asset.ts";
import { checkBitcoinAddress, checkEthereumAddress, type Network } from "#core/payments/address.ts";
import {
  parseWalletKey,
  type WalletChain,
  type WalletKey,
  type WalletKeyFault,
} from "#core/wallet/wallet-key.ts";
import { type Config, ConfigError, type Environment } from "../config.ts";
import { address, oneOf, testAddresses, text } from "./read-setting.ts";

export function wallets(env: Environment, network: Network): Config["wallets"] {
  return {
    bitcoin: wallet(env, "DEPOSIT_WALLET_BITCOIN", {
      chain: "bitcoin",
      network,
      customerBranch: branch(env, "DEPOSIT_BRANCH_BITCOIN"),
    }),
    ethereum: wallet(env, "DEPOSIT_WALLET_ETHEREUM", {
      chain: "ethereum",
      network,
      customerBranch: branch(env, "DEPOSIT_BRANCH_ETHEREUM"),
    }),
  };
}

function wallet(
  env: Environment,
  name: string,
  { chain, network, customerBranch }: Pick<WalletKey, "chain" | "network" | "customerBranch">,
): WalletKey | null {
  const given = env[name]?.trim();
  if (!given) return null;
  const key = parseWalletKey(given, chain, network, customerBranch);
  if (typeof key === "string") throw new ConfigError(`${name} ${walletFaults[key]}.`);
  return key;
}

/** Where customers' addresses are below a wallet's key. */
function branch(env: Environment, name: string): 0 | 2 {
  return oneOf(env, name, ["0", "2"], "2") === "0" ? 0 : 2;
}

const walletFaults: Record<WalletKeyFault, string> = {
  "private-key":
    "holds a PRIVATE key: take it off this machine at once, move the coins to a new wallet, and give that one's public key",
  malformed: "is not an extended public key or an output descriptor",
  checksum: "is mistyped: its checksum does not hold",
  "wrong-network": "is not a key of the configured NETWORK",
  "which-script":
    "does not say which addresses the wallet uses: write wpkh(…/0/*) or tr(…/0/*), or the key's origin [fingerprint/84h/0h/0h]",
  "unsupported-script":
    "is of a kind that is not supported: native SegWit (BIP 84: zpub, vpub) and taproot (BIP 86) are; nested SegWit (ypub, upub) is not",
  "unsupported-path": "must be an account's key: its receiving addresses are /0/*",
};

export function depositAddresses(
  env: Environment,
  network: Network,
  wallets: Config["wallets"],
  offered: readonly Coin[],
): Config["depositAddresses"] {
  const check = {
    bitcoin: (address: string) => checkBitcoinAddress(address, network),
    ethereum: checkEthereumAddress,
  };
  const example = { bitcoin: testAddresses.bitcoin[network], ethereum: testAddresses.ethereum };
  const isGiven = (name: string) => Boolean(env[name]?.trim());
  const fixed = (chain: WalletChain, name: string) =>
    wallets[chain] && !isGiven(name)
      ? null
      : address(env, name, network, check[chain], example[chain]);
  return {
    bitcoin: fixed("bitcoin", "DEPOSIT_ADDRESS_BITCOIN"),
    ethereum: offered.some((coin) => coin !== "BTC")
      ? fixed("ethereum", "DEPOSIT_ADDRESS_ETHEREUM")
      : null,
  };
}

/** What is mined and paid out is bitcoin: that one cannot be switched off. */
export function offeredCoins(env: Environment): readonly Coin[] {
  const value = text(env, "COINS", coinsByDefault(env));
  const named = value.split(",").map((name) => name.trim());
  const unknown = named.find((name) => !coins.some((coin) => coin === name));
  if (unknown !== undefined || !named.includes("BTC")) {
    throw new ConfigError(
      `COINS must name BTC and any of ETH and USDT, separated by commas, not "${value}".`,
    );
  }
  return coins.filter((coin) => named.includes(coin));
}

/** Who has set up Bitcoin and nothing of Ethereum offers bitcoin alone. Where neither is set up, a test network can be tried whole. */
function coinsByDefault(env: Environment): string {
  const isSet = (...names: string[]) => names.some((name) => env[name]?.trim());
  const hasEthereum = isSet(
    "DEPOSIT_WALLET_ETHEREUM",
    "DEPOSIT_ADDRESS_ETHEREUM",
    "ETHEREUM_RPC_URL",
  );
  const hasBitcoin = isSet("DEPOSIT_WALLET_BITCOIN", "DEPOSIT_ADDRESS_BITCOIN", "BITCOIN_RPC_URL");
  return hasBitcoin && !hasEthereum ? "BTC" : coins.join();
}
