import { desc, eq, sql } from "#server/platform/sql.ts";
import { union } from "#server/platform/tables.ts";
import { users } from "../../identity/schema.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { depositSlipLikenesses, depositSlips, deposits } from "../schema.ts";
import { asDeposit, columns, people } from "../select-deposits.ts";

const d = deposits;
const s = depositSlips;

/** Deposits, of any customer, whose slip is the same file as this one's or shows the same picture. */
export async function listDepositsWithSameSlip(db: Db | Tx, depositId: string, limit = 20) {
  const l = depositSlipLikenesses;
  const own = db.select({ slipId: d.slipId }).from(d).where(eq(d.id, depositId));
  const others = union(
    db
      .select({ slipId: l.earlierSlipId, sameFile: l.sameFile })
      .from(l)
      .where(sql`${l.slipId} = (${own})`),
    db
      .select({ slipId: l.slipId, sameFile: l.sameFile })
      .from(l)
      .where(sql`${l.earlierSlipId} = (${own})`),
  ).as("others");
  const rows = await db
    .select({ ...columns, ...people, sameFile: others.sameFile })
    .from(others)
    .innerJoin(d, eq(d.slipId, others.slipId))
    .innerJoin(s, eq(s.id, d.slipId))
    .innerJoin(users, eq(users.id, d.customerId))
    .orderBy(desc(others.sameFile), desc(d.createdAt))
    .limit(limit);
  return rows.map(asDeposit);
}
