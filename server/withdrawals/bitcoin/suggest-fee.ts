import { setTimeout as wait } from "node:timers/promises";
import type { BitcoinNode } from "../../chain/bitcoin/bitcoin-node.ts";
import { type RelayTerms, readRelayTerms } from "./relay-terms.ts";

/** A page does not wait longer for a node. */
const patienceMs = 2000;
/** An hour, as blocks come on average: payments are announced for a day, not for the next minutes. */
const withinBlocks = 6;

/** What a node estimates and asks at this moment. */
export interface FeeSuggestion extends RelayTerms {
  withinBlocks: number;
  /** The newest block that it knew. */
  height: number;
  /** Satoshis per 1,000 virtual bytes; null: it has seen too few transactions to say. */
  feePerKvb: number | null;
}

/** Null: the node does not answer in time. */
export async function suggestFee(node: BitcoinNode): Promise<FeeSuggestion | null> {
  const asked = Promise.all([
    node.estimateSmartFee(withinBlocks),
    node.getBlockchainInfo(),
    readRelayTerms(node),
  ]);
  const found = await Promise.race([asked, wait(patienceMs, null, { ref: false })]).catch(
    () => null,
  );
  if (!found) return null;
  const [estimate, { blocks: height }, terms] = found;
  return { withinBlocks, height, ...terms, feePerKvb: estimate === null ? null : Number(estimate) };
}
