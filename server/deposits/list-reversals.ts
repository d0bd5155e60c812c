import { desc, eq, inArray, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import { depositSlips, deposits } from "./schema.ts";
import { asDeposit, columns, people } from "./select-deposits.ts";

const d = deposits;
const s = depositSlips;

/** Deposits whose block left the chain: first those whose coins were used meanwhile, then those taken back, newest first. */
export async function listReversals(db: Db, limit: number) {
  const rows = await db
    .select({ ...columns, ...people })
    .from(d)
    .leftJoin(s, eq(s.id, d.slipId))
    .innerJoin(users, eq(users.id, d.customerId))
    .where(inArray(d.state, ["orphaned", "reversed"]))
    .orderBy(sql`${d.state} = 'reversed'`, desc(d.orphanedAt), desc(d.id))
    .limit(limit);
  return rows.map(asDeposit);
}
