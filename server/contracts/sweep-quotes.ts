import { and, lt, notExists, sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { contractQuotes, contracts } from "./schema.ts";

const keptDays = 7;

/** Deletes quotes that nobody took up, a week after they were made. */
export async function sweepQuotes(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  const taken = db
    .select({ one: sql`1` })
    .from(contracts)
    .where(sql`${contracts.quoteId} = ${contractQuotes.id}`);
  await db.delete(contractQuotes).where(and(lt(contractQuotes.quotedAt, before), notExists(taken)));
}
