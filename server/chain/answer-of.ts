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
export function incidentOf(error: NodeError): SourceIncident {
  const { failure, message } = error;
  const cause = { cause: error };
  if (failure === "malformed") return new SourceIncident("lying", message, cause);
  if (failure !== "refused") return new SourceIncident(failure, message, cause);
  // In the words of Bitcoin Core, and of geth, erigon, nethermind and reth for states and blocks that are no longer kept.
  const isPruned = /prun|historical state|state.*(unavailable|not available)|missing trie/i.test(
    message,
  );
  return new SourceIncident(isPruned ? "pruned" : "unreachable", message, cause);
}

/** Whether a node gave no answer at all, so that the next question would only wait for it once more. */
export function isUnanswered(error: unknown): boolean {
  const given = error instanceof SourceIncident ? error.cause : error;
  return given instanceof NodeError && given.failure !== "refused" && given.failure !== "malformed";
}

/** Whether it is what a node said, or that it said nothing, and no fault of ours. */
export function isOfNode(error: unknown): error is NodeError | SourceIncident {
  return error instanceof NodeError || error instanceof SourceIncident;
}
