import { data } from "react-router";
import type { App } from "#server/app-context.ts";
import { countAttempt, type Limit, TooManyAttempts } from "#server/platform/rate-limit.ts";

/** Each reads a whole stretch of the ledger. */
const statementFiles: Limit = { purpose: "statements/file", max: 60, windowMinutes: 10 };
/** Each reads and hashes up to 10,000 transfers. */
export const proofFiles: Limit = { purpose: "statements/proof", max: 20, windowMinutes: 10 };

/** Refuses a customer who asks for files too often. */
export async function countFile(
  { db, now }: App,
  customerId: string,
  limit = statementFiles,
): Promise<void> {
  try {
    await countAttempt(db, limit, customerId, now());
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    throw data(null, { status: 429, statusText: "Too Many Requests" });
  }
}

/** Sent while it is read: a long file is never whole in memory. */
export function streamed(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
