import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { contactThreads } from "./schema.ts";

const t = contactThreads;

/** The reference of a thread, for who holds a link to it, or null when it is gone. */
export async function findReference(db: Db, threadId: string): Promise<string | null> {
  const [found] = await db.select({ reference: t.reference }).from(t).where(eq(t.id, threadId));
  return found?.reference ?? null;
}
