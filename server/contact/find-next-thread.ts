import { and, asc, eq, sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { contactThreads } from "./schema.ts";

const t = contactThreads;

/** Which thread waits longest, this one left aside; null when none does. */
export async function findNextThread(db: Db, exceptId: string): Promise<string | null> {
  const [next] = await db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.state, "open"), sql`${t.id} <> ${exceptId}`))
    .orderBy(asc(t.waitingSince), asc(t.id))
    .limit(1);
  return next?.id ?? null;
}
