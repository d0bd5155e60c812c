import { isUuid } from "#core/is-uuid.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { depositSlips, deposits } from "./schema.ts";
import { asDeposit, columns, people } from "./select-deposits.ts";

const d = deposits;
const s = depositSlips;

export const flags = {
  /** Other deposits, of any customer, whose slip is the same file; 100 stand for all that are more. */
  sameFileCount: sql<number>`(
  select count(*) from (
    select from deposit_slips x join deposits o on o.slip_id = x.id
     where x.original_sha256 = ${s.originalSha256} and x.id <> ${s.id} limit 100) same)::int`,
};

/** One deposit of anybody, with who sent it and who reviewed it; null when there is none. */
export async function findDepositForReview(db: Db | Tx, depositId: string) {
  if (!isUuid(depositId)) return null;
  const [row] = await db
    .select({
      ...columns,
      ...people,
      ...flags,
      reviewActionId: d.reviewActionId,
      reviewerId: auditLog.operatorId,
      reviewerName: sql<
        string | null
      >`(select u.name from users u where u.id = ${auditLog.operatorId})`,
    })
    .from(d)
    .leftJoin(s, eq(s.id, d.slipId))
    .innerJoin(users, eq(users.id, d.customerId))
    .leftJoin(auditLog, eq(auditLog.id, d.reviewActionId))
    .where(eq(d.id, depositId));
  return row ? asDeposit(row) : null;
}

export type DepositForReview = NonNullable<Awaited<ReturnType<typeof findDepositForReview>>>;
