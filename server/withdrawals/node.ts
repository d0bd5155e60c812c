import { Refusal } from "#core/refusal.ts";
import { BitcoinNode } from "../chain/bitcoin/bitcoin-node.ts";
import { EthereumNode } from "../chain/ethereum/ethereum-node.ts";
import { NodeError } from "../chain/json-rpc.ts";
import type { Config } from "../platform/config.ts";

/** The nodes that batches are built, sent and followed with; null: none is configured. */
export interface Nodes {
  bitcoin: BitcoinNode | null;
  ethereum: EthereumNode | null;
}

/** Other ways to read the Bitcoin chain than a node cannot do it. */
export function nodesOf(
  { bitcoinChain, ethereumChain }: Pick<Config, "bitcoinChain" | "ethereumChain">,
  stopping?: AbortSignal,
): Nodes {
  return {
    bitcoin: bitcoinChain && new BitcoinNode(bitcoinChain.url, stopping),
    ethereum: ethereumChain && new EthereumNode(ethereumChain.url, stopping),
  };
}

/** @throws Refusal `withdrawals/no-node` */
export function requireBitcoinNode({ bitcoin }: Pick<Nodes, "bitcoin">): BitcoinNode {
  if (!bitcoin) throw new Refusal("withdrawals/no-node");
  return bitcoin;
}

/** @throws Refusal `withdrawals/no-ethereum-node` */
export function requireEthereumNode({ ethereum }: Pick<Nodes, "ethereum">): EthereumNode {
  if (!ethereum) throw new Refusal("withdrawals/no-ethereum-node");
  return ethereum;
}

/** Asks the node for something that an act needs, and says where it does not answer. */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NodeError) throw new Refusal("withdrawals/node-does-not-answer");
    throw error;
  }
}
