import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { contactMessages, contactThreads } from "./schema.ts";

const t = contactThreads;

const m = contactMessages;

/** The thread of a form that arrived before, or null. */
export async function findSubmission(
  db: Db | Tx,
  submission: Uint8Array,
): Promise<{ threadId: string; reference: string } | null> {
  const [found] = await db
    .select({ threadId: t.id, reference: t.reference })
    .from(m)
    .innerJoin(t, eq(t.id, m.threadId))
    .where(eq(m.submissionSha256, submission));
  return found ?? null;
}
