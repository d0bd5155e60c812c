import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { Config } from "../platform/config.ts";
import { answerOf } from "./answer-of.ts";
import { BitcoinNode } from "./bitcoin/bitcoin-node.ts";
import { EthereumNode } from "./ethereum/ethereum-node.ts";

/** What a node shows of a transaction that we sent, once a block holds it. */
export interface Outlay {
  /** It moved nothing but its fee. Bitcoin has no such thing. */
  failed: boolean;
  /** What the network took, in its own coin. */
  feeUnits: bigint;
  /** What its outputs pay; null: Ethereum's has none. */
  outputs: bigint[] | null;
}

/** Without an index a node finds a transaction by what is unspent of it: so many outputs are looked at. */
const outputsToTry = [0, 1, 2, 3];

/**
 * Asks the chain's node for a transaction in a block. Null: no node is configured, or it does not show it.
 *
 * @throws SourceIncident
 */
export async function findOutlay(
  { bitcoinChain, ethereumChain }: Pick<Config, "bitcoinChain" | "ethereumChain">,
  chain: WalletChain,
  txid: string,
  withinMs: number,
): Promise<Outlay | null> {
  const signal = AbortSignal.timeout(withinMs);
  if (chain === "ethereum") {
    return ethereumChain && findOnEthereum(new EthereumNode(ethereumChain.url, signal), txid);
  }
  return bitcoinChain ? findOnBitcoin(new BitcoinNode(bitcoinChain.url, signal), txid) : null;
}

async function findOnEthereum(node: EthereumNode, txid: string): Promise<Outlay | null> {
  const receipt = await answerOf(node.getReceipt(txid));
  if (!receipt) return null;
  const feeUnits = receipt.gasUsed * receipt.effectiveGasPrice;
  return { failed: !receipt.status, feeUnits, outputs: null };
}

async function findOnBitcoin(node: BitcoinNode, txid: string): Promise<Outlay | null> {
  const blockHash = await findBlock(node, txid);
  if (blockHash === null) return null;
  const found = await answerOf(node.getMinedTransaction(txid, blockHash));
  if (found?.fee === undefined) return null;
  const outputs = found.vout.map(({ value }) => value);
  return { failed: false, feeUnits: found.fee, outputs };
}

async function findBlock(node: BitcoinNode, txid: string): Promise<string | null> {
  const known = await answerOf(node.getRawTransaction(txid));
  if (known) return known.blockhash ?? null;
  for (const output of outputsToTry) {
    const unspent = await answerOf(node.getTxOut(txid, output));
    if (!unspent || unspent.confirmations === 0) continue;
    const tip = await answerOf(node.getBlockHeader(unspent.bestblock));
    return tip && answerOf(node.getBlockHash(tip.height - unspent.confirmations + 1));
  }
  return null;
}
