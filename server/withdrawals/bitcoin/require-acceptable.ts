import { bytesToHex } from "@noble/hashes/utils.js";
import { Refusal } from "#core/refusal.ts";
import type { BitcoinNode } from "../../chain/bitcoin/bitcoin-node.ts";
import { asking } from "../node.ts";

/**
 * Asks the node to check the signatures and its own rules. What it knows already is acceptable.
 *
 * @throws Refusal `withdrawals/unreadable`, `withdrawals/node-would-not-take-it`, `withdrawals/node-does-not-answer`
 */
export async function requireAcceptable(
  node: BitcoinNode,
  raw: Uint8Array,
  txid: string,
): Promise<void> {
  const answer = await asking(() => node.testMempoolAccept(bytesToHex(raw)));
  if (answer.txid !== txid) throw new Refusal("withdrawals/unreadable");
  const reason = answer["reject-reason"] ?? "";
  const isKnown = /already|known/.test(reason);
  if (answer.allowed !== true && !isKnown) throw new Refusal("withdrawals/node-would-not-take-it");
}
