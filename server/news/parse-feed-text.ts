import { runInWorkerThread } from "../platform/run-in-worker-thread.ts";
import { type FeedItem, ReadFailure, readLimits } from "./news.ts";
import type { ParsedFeed } from "./parse-feed.ts";

/**
 * Takes a feed apart in a thread of its own: a feed that is made to break a parser ends that thread and nothing
 * else, and that is the feed's fault.
 *
 * @throws ReadFailure `not-a-feed`, `entities-refused`
 */
export async function parseFeedText(
  feed: { text: string; url: string; now: Date },
  timeoutMs: number = readLimits.parseTimeoutMs,
): Promise<{ items: FeedItem[]; skipped: number }> {
  const answer = await runInWorkerThread<ParsedFeed>(
    new URL("./parse-worker.ts", import.meta.url),
    {
      of: { ...feed, maxItems: readLimits.maxItems },
      timeoutMs,
      memory: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
    },
  );
  if (answer === null) throw new ReadFailure("not-a-feed");
  if ("failure" in answer) throw new ReadFailure(answer.failure);
  return answer;
}
