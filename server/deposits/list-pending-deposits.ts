import { isUuid } from "#core/is-uuid.ts";
import { and, asc, eq, gt, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { flags } from "./find-deposit-for-review.ts";
import { depositSlips, deposits } from "./schema.ts";
import { asDeposit, columns, people } from "./select-deposits.ts";

const d = deposits;
const s = depositSlips;
/** Whether one person has proposed to approve it, and a second one is waited for. */
const isProposed = sql<boolean>`exists (
  select from deposit_approvals p where p.deposit_id = ${d.id} and p.state = 'open')`;

/** Deposits that wait for review, oldest first. `after` is the id of the last one seen. */
export async function listPendingDeposits(
  db: Db | Tx,
  page: { after?: string | undefined; limit: number },
) {
  const after = isUuid(page.after)
    ? gt(
        sql`(${d.createdAt}, ${d.id})`,
        sql`(select c.created_at, c.id from deposits c where c.id = ${page.after})`,
      )
    : undefined;
  const rows = await db
    .select({ ...columns, ...people, ...flags, isProposed })
    .from(d)
    .innerJoin(s, eq(s.id, d.slipId))
    .innerJoin(users, eq(users.id, d.customerId))
    .where(and(eq(d.state, "pending"), after))
    .orderBy(asc(d.createdAt), asc(d.id))
    .limit(page.limit);
  return rows.map(asDeposit);
}

export type PendingDeposit = Awaited<ReturnType<typeof listPendingDeposits>>[number];
