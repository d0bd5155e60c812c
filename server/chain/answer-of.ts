import { NodeError } from "./json-rpc.ts";
import { SourceIncident } from "./source-health.ts";

/**
 * Waits for a node's answer, and says as a incident why there is none.
 *
 * @throws SourceIncident
 */
export async function answerOf<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof NodeError ? incidentOf(error) : error;
  }
}

/** What a node's refusal means to who watches it. */
export function incidentOf({ failure, message }: NodeError): SourceIncident {
  if (failure === "malformed") return new SourceIncident("lying", message);
  if (failure !== "refused") return new SourceIncident(failure, message);
  // In the words of Bitcoin Core, and of geth, erigon, nethermind and reth for states and blocks that are no longer kept.
  const isPruned = /prun|historical state|state.*(unavailable|not available)|missing trie/i.test(
    message,
  );
  return new SourceIncident(isPruned ? "pruned" : "unreachable", message);
}
