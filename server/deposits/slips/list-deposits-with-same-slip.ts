import { and, desc, eq, ne } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../../identity/schema.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { depositSlips, deposits } from "../schema.ts";
import { asDeposit, columns, people } from "../select-deposits.ts";

const d = deposits;
const s = depositSlips;

/** Other deposits, of any customer, whose slip is the same file as this one's. */
export async function listDepositsWithSameSlip(db: Db | Tx, depositId: string, limit = 20) {
  const [own, its] = [alias(deposits, "own"), alias(depositSlips, "its")];
  const rows = await db
    .select({ ...columns, ...people })
    .from(own)
    .innerJoin(its, eq(its.id, own.slipId))
    .innerJoin(s, and(eq(s.originalSha256, its.originalSha256), ne(s.id, its.id)))
    .innerJoin(d, eq(d.slipId, s.id))
    .innerJoin(users, eq(users.id, d.customerId))
    .where(eq(own.id, depositId))
    .orderBy(desc(d.createdAt))
    .limit(limit);
  return rows.map(asDeposit);
}
