import { Refusal } from "#core/refusal.ts";
import { BitcoinNode } from "../chain/bitcoin-node.ts";
import { NodeError } from "../chain/json-rpc.ts";
import type { Config } from "../platform/config.ts";

/**
 * The node that batches are built, sent and followed with. Other ways to read the chain cannot.
 *
 * @throws Refusal `withdrawals/no-node` where none is configured
 */
export function requireNode(
  { bitcoinChain }: Pick<Config, "bitcoinChain">,
  stopping?: AbortSignal,
) {
  if (bitcoinChain?.kind !== "node") throw new Refusal("withdrawals/no-node");
  return new BitcoinNode(bitcoinChain.url, stopping);
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
