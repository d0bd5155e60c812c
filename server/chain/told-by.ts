import { NodeError } from "./json-rpc.ts";
import { SourceTrouble } from "./source-condition.ts";

/**
 * Waits for a node's answer, and says as a trouble why there is none.
 *
 * @throws SourceTrouble
 */
export async function toldBy<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof NodeError ? troubleOf(error) : error;
  }
}

/** What a node's refusal means to who watches it. */
export function troubleOf({ failure, message }: NodeError): SourceTrouble {
  if (failure === "malformed") return new SourceTrouble("lying", message);
  if (failure !== "refused") return new SourceTrouble(failure, message);
  // In the words of Bitcoin Core, and of geth, erigon, nethermind and reth for states and blocks that are no longer kept.
  const isPruned = /prun|historical state|state.*(unavailable|not available)|missing trie/i.test(
    message,
  );
  return new SourceTrouble(isPruned ? "pruned" : "unreachable", message);
}
