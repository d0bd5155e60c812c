import { Worker } from "node:worker_threads";
import { type FeedItem, ReadFailure, readLimits } from "./news.ts";
import type { TakenApart } from "./take-apart.ts";

/**
 * Takes a feed apart in a thread of its own, with a limit on its memory and its time: a feed that is made to
 * break a parser ends that thread and nothing else.
 *
 * @throws ReadFailure `not-a-feed`, `entities-refused`
 */
export async function parseFeedText(
  feed: { text: string; url: string; now: Date },
  timeoutMs: number = readLimits.parseTimeoutMs,
): Promise<{ items: FeedItem[]; skipped: number }> {
  const worker = new Worker(new URL("./parse-worker.ts", import.meta.url), {
    workerData: { ...feed, maxItems: readLimits.maxItems },
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
    env: {},
  });
  const timer = setTimeout(() => void worker.terminate(), timeoutMs);
  try {
    const answer = await firstAnswer(worker);
    if ("failure" in answer) throw new ReadFailure(answer.failure);
    return answer;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Whatever ends the thread without an answer is the feed's fault. */
function firstAnswer(worker: Worker): Promise<TakenApart> {
  return new Promise((resolve) => {
    worker.once("message", resolve);
    worker.once("error", () => resolve({ failure: "not-a-feed" }));
    worker.once("exit", () => resolve({ failure: "not-a-feed" }));
  });
}
