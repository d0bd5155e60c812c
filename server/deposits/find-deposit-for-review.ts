import { isUuid } from "#core/is-uuid.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { depositSlips, deposits } from "./schema.ts";
import { asDeposit, columns, people } from "./select-deposits.ts";

const d = deposits;
const s = depositSlips;

/** Deposits that share this deposit's slip: as the same file, or as the same picture. */
const likenesses = (sameFile: boolean) => sql<number>`(
  select count(*) from deposit_slip_likenesses l
   where ${d.slipId} in (l.slip_id, l.earlier_slip_id) and l.same_file = ${sameFile})::int`;

export const flags = {
  /** Whether the slip has been compared with earlier ones yet. */
  slipCompared: sql<boolean>`${s.comparedAt} is not null`,
  sameFileCount: likenesses(true),
  sameLooksCount: likenesses(false),
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
