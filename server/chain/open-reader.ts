import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { Config } from "../platform/config.ts";
import { openSource } from "./bitcoin/open-source.ts";
import { readBitcoin } from "./bitcoin/read-bitcoin.ts";
import type { ChainReader } from "./chain-reader.ts";
import { EthereumNode } from "./ethereum/ethereum-node.ts";
import { readEthereum } from "./ethereum/read-ethereum.ts";

/** A chain as its source tells it; null: nobody is asked about it. */
export function openReader(
  config: Pick<Config, "bitcoinChain" | "ethereumChain" | "network">,
  chain: WalletChain,
  stopping: AbortSignal,
): ChainReader | null {
  if (chain === "bitcoin") {
    const source = openSource(config, stopping);
    return source && readBitcoin(source, config.network);
  }
  const { ethereumChain } = config;
  return (
    ethereumChain && readEthereum(new EthereumNode(ethereumChain.url, stopping), ethereumChain)
  );
}
