import { NodeError } from "../chain/json-rpc.ts";
import type { Db } from "../platform/database.ts";
import { listLeftOnBitcoin, listLeftOnEthereum } from "./batches/queries.ts";
import type { Nodes } from "./node.ts";

/** For so long after its block left the chain. */
const againForMs = 14 * 86_400_000;

/**
 * Sends again what had ended when its block left the chain after all: the bytes that were signed, whose coins and nonces no chain
 * takes twice. What was given back is not sent again.
 *
 * @throws NodeError when a node does not answer
 */
export async function sendWhatLeft(db: Db, { bitcoin, ethereum }: Nodes, now: Date): Promise<void> {
  const since = new Date(now.getTime() - againForMs);
  for (const { raw } of bitcoin ? await listLeftOnBitcoin(db, since) : []) {
    await unlessRefused(bitcoin?.sendRawTransaction(inHex(raw)));
  }
  for (const { raw } of ethereum ? await listLeftOnEthereum(db, since) : []) {
    await unlessRefused(ethereum?.sendRawTransaction(`0x${inHex(raw)}`));
  }
}

function inHex(raw: Uint8Array | null): string {
  return Buffer.from(raw ?? []).toString("hex");
}

/** A node that has it already, waiting or in a block, says so by refusing it. */
async function unlessRefused(sent: Promise<unknown> | undefined): Promise<void> {
  await sent?.catch((error: unknown) => {
    if (!(error instanceof NodeError && error.failure === "refused")) throw error;
  });
}
