import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import type { BitcoinNode } from "../../chain/bitcoin/bitcoin-node.ts";

/** What a node asks of transactions that it passes on. Satoshis per 1,000 virtual bytes. */
export interface RelayTerms {
  leastPerKvb: number;
  /** What a replacement pays for its own size, on top of all that the replaced one paid (BIP 125). */
  incrementPerKvb: number;
}

/** What nodes ask that do not say so: Bitcoin Core's, until it was lowered with version 30. */
const usualIncrement = 1000n;

/** @throws NodeError */
export async function readRelayTerms(node: BitcoinNode): Promise<RelayTerms> {
  const told = await node.getMempoolInfo();
  const { mempoolminfee = 0n, minrelaytxfee = 0n, incrementalrelayfee = usualIncrement } = told;
  const least = mempoolminfee > minrelaytxfee ? mempoolminfee : minrelaytxfee;
  return {
    leastPerKvb: Math.max(Number(least), withdrawalTerms.minFeePerKvb),
    incrementPerKvb: Number(incrementalrelayfee),
  };
}
