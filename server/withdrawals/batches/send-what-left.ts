import type { Db } from "../../platform/database.ts";
import type { Nodes } from "../node.ts";
import { listLeftOnBitcoin, listLeftOnEthereum } from "./list-left-payments.ts";
import { unlessRefused } from "./unless-refused.ts";

/** For so long after its block left the chain. */
const againForMs = 14 * 86_400_000;

/**
 * Sends again what had ended when its block left the chain after all: the bytes that were signed, whose coins and nonces no chain
 * takes twice. What was given back is not sent again. What a node refuses keeps no other transaction waiting, nor does a node that
 * does not answer the other chain.
 *
 * @throws NodeError when a node does not answer
 */
export async function sendWhatLeft(db: Db, { bitcoin, ethereum }: Nodes, now: Date): Promise<void> {
  const since = new Date(now.getTime() - againForMs);
  const ofBitcoin = bitcoin ? await listLeftOnBitcoin(db, since) : [];
  const ofEthereum = ethereum ? await listLeftOnEthereum(db, since) : [];
  const sent = await Promise.allSettled([
    sendEach(ofBitcoin, (raw) => bitcoin?.sendRawTransaction(raw)),
    sendEach(ofEthereum, (raw) => ethereum?.sendRawTransaction(`0x${raw}`)),
  ]);
  for (const each of sent) if (each.status === "rejected") throw each.reason;
}

/** A node that does not answer is not asked about the others. */
async function sendEach(
  left: Array<{ raw: Uint8Array | null }>,
  send: (raw: string) => Promise<unknown> | undefined,
): Promise<void> {
  for (const { raw } of left) await unlessRefused(send(inHex(raw)));
}

function inHex(raw: Uint8Array | null): string {
  return Buffer.from(raw ?? []).toString("hex");
}
