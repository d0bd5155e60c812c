import type { Coin } from "#core/asset.ts";
import { parseAmount } from "#core/money.ts";
import { checkEthereumAddress, type Network } from "#core/payments/address.ts";
import { usdtContract as usdtOnMainnet } from "#core/payments/withdrawal-address.ts";
import {
  type Config,
  ConfigError,
  type ConfirmationStep,
  type Environment,
  type EthereumChain,
} from "../config.ts";
import { faultInWords, oneOf, sourceUrl, text } from "./read-setting.ts";

export function bitcoinNetworkUrl(env: Environment, network: Network): string | null {
  if (env["BITCOIN_NETWORK_SOURCE"]?.trim() === "off") return null;
  const because = "credits are compared with what it says";
  const name = "BITCOIN_NETWORK_SOURCE";
  return sourceUrl(name, env[name], { network, because }) ?? "https://mempool.space";
}

/** What it says is credited, and it is given what customers are paid with: nobody on the way may change that. */
export function bitcoinChain(env: Environment, network: Network): Config["bitcoinChain"] {
  const because = "what it says is credited";
  const node = sourceUrl("BITCOIN_RPC_URL", env["BITCOIN_RPC_URL"], { network, because });
  if (node === null) return null;
  if (!new URL(node).password) {
    throw new ConfigError("BITCOIN_RPC_URL must hold the user and password of the node.");
  }
  return { url: node };
}

/** Numbers of chains: https://chainlist.org. Ethereum itself; Sepolia and Hoodi; what anvil and geth begin for tests. */
export const chainIds: Record<Network, number[]> = {
  mainnet: [1],
  testnet: [11_155_111, 560_048],
  regtest: [31_337, 1_337],
};

/** What it says is credited, as it is for Bitcoin. Providers put their key into the path. */
export function ethereumChain(
  env: Environment,
  network: Network,
  hotWallet: string | null,
): EthereumChain | null {
  const because = "what it says is credited";
  const given = sourceUrl("ETHEREUM_RPC_URL", env["ETHEREUM_RPC_URL"], { network, because });
  if (given === null) return null;
  const usdtContract = usdtToken(env, network);
  const traces = oneOf(env, "ETHEREUM_TRACES", ["on", "off"], "on") === "on";
  const own = ownEthereumAddresses(env, network);
  const ownAddresses = hotWallet ? [...own, hotWallet.toLowerCase()] : own;
  return { url: given, chainIds: chainIds[network], usdtContract, traces, ownAddresses };
}

/** Whoever collects tokens from customers' addresses sends ether there first, to pay for it. */
function ownEthereumAddresses(env: Environment, network: Network): string[] {
  const given = (env["ETHEREUM_OWN_ADDRESSES"] ?? "").split(",").map((each) => each.trim());
  return given.filter(Boolean).map((each) => {
    const fault = checkEthereumAddress(each);
    if (fault) throw new ConfigError(`ETHEREUM_OWN_ADDRESSES ${faultInWords(fault, network)}.`);
    return each.toLowerCase();
  });
}

function usdtToken(env: Environment, network: Network): string | null {
  const given = env["USDT_CONTRACT"]?.trim();
  if (!given) return network === "mainnet" ? usdtOnMainnet : null;
  const fault = checkEthereumAddress(given);
  if (fault) throw new ConfigError(`USDT_CONTRACT ${faultInWords(fault, network)}.`);
  if (network === "mainnet" && given.toLowerCase() !== usdtOnMainnet) {
    throw new ConfigError(
      "USDT_CONTRACT must be left out on mainnet: there is one USDT on Ethereum.",
    );
  }
  return given.toLowerCase();
}

/** `3`, or `3, 1:6, 10:12`: from 1 coin on 6, from 10 on 12. `finalized` where the chain says by itself what is final. */
export function confirmations(env: Environment, name: string, asset: Coin, fallback: string) {
  const steps = text(env, name, fallback)
    .split(",")
    .map((step, i) => {
      const read = confirmationStep(step.trim(), asset, i === 0);
      if (read) return read;
      throw new ConfigError(
        asset === "BTC"
          ? `${name} must be a number of blocks, or read like 3, 1:6, 10:12.`
          : `${name} must be finalized, or read like 12, 1:64, 10:finalized.`,
      );
    });
  const rises = steps.every((step, i) => {
    const before = steps[i - 1];
    return !before || (step.fromUnits > before.fromUnits && count(step) >= count(before));
  });
  if (!rises) throw new ConfigError(`${name} must rise: larger payments wait for as many or more.`);
  return steps;
}

/** Null: cannot be read. The first step alone names no quantity. */
function confirmationStep(step: string, asset: Coin, isFirst: boolean): ConfirmationStep | null {
  const [, from, given = ""] = /^(?:(\d[\d.]*):)?(\d{1,3}|finalized)$/.exec(step) ?? [];
  if ((from === undefined) !== isFirst) return null;
  const fromUnits = from === undefined ? 0n : parseAmount(from, asset);
  const blocks = given === "finalized" && asset !== "BTC" ? given : Number(given);
  return fromUnits !== null && (blocks === "finalized" || blocks >= 1)
    ? { fromUnits, blocks }
    : null;
}

export function count({ blocks }: ConfirmationStep): number {
  return blocks === "finalized" ? Number.POSITIVE_INFINITY : blocks;
}
