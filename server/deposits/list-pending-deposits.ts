import { keyset } from "#server/platform/keyset.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { flags } from "./find-deposit-for-review.ts";
import { depositSlips, deposits } from "./schema.ts";
import { asDeposit, columns, people } from "./select-deposits.ts";

const d = deposits;
const s = depositSlips;
const oldestFirst = keyset("asc", d.createdAt, d.id);
/** Whether one person has proposed to approve it, and a second one is waited for. */
const isProposed = sql<boolean>`exists (
  select from deposit_approvals p where p.deposit_id = ${d.id} and p.state = 'open')`;

/** Deposits that wait for review, oldest first. `after` is the id of the last one seen. */
export async function listPendingDeposits(
  db: Db | Tx,
  page: { after?: string | undefined; limit: number },
) {
  const rows = await db
    .select({ ...columns, ...people, ...flags, isProposed })
    .from(d)
    .innerJoin(s, eq(s.id, d.slipId))
    .innerJoin(users, eq(users.id, d.customerId))
    .where(and(eq(d.state, "pending"), oldestFirst.beyond(page.after)))
    .orderBy(...oldestFirst.by)
    .limit(page.limit);
  return rows.map(asDeposit);
}

export type PendingDeposit = Awaited<ReturnType<typeof listPendingDeposits>>[number];
