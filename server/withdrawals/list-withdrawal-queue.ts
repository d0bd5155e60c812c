import { isUuid } from "#core/is-uuid.ts";
import type { WithdrawalState } from "#core/payments/withdrawal.ts";
import { containing } from "#server/platform/containing.ts";
import {
  and,
  asc,
  desc,
  eq,
  ilike,
  inArray,
  isNotNull,
  isNull,
  ne,
  or,
  sql,
} from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { withdrawalPayments, withdrawals } from "./schema.ts";
import { columns, failedAt, heldUntil } from "./select-withdrawals.ts";

const w = withdrawals;
const p = withdrawalPayments;

/** The groups that staff look at: what waits for whom. */
export const withdrawalQueues = {
  confirmed: ["confirmed"],
  requested: ["requested"],
  approved: ["approved"],
  leaving: ["batched", "broadcast"],
  settled: ["settled"],
  ended: ["cancelled", "rejected", "returned"],
} as const satisfies Record<string, WithdrawalState[]>;

export type WithdrawalQueue = keyof typeof withdrawalQueues;
const isException = sql<boolean>`coalesce(${p.fault} is not null and ${p.endedAt} is null, false)`;

/** What staff decide: whether it may leave, and what becomes of a payment of which something is odd. */
const toDecide = or(
  eq(w.state, "confirmed"),
  and(inArray(w.state, withdrawalQueues.leaving), isNotNull(p.fault), isNull(p.endedAt)),
);

/** Withdrawals of one group: those under way the oldest first, those that have ended the newest first. */
export function listWithdrawalQueue(
  db: Db | Tx,
  listing: { queue: WithdrawalQueue; search: string; after?: string | undefined; limit: number },
  now: Date,
) {
  const { queue, search, after, limit } = listing;
  const isDone = queue === "settled" || queue === "ended";
  const like = containing(search);
  const key = isDone ? w.endedAt : w.requestedAt;
  const seen = isUuid(after)
    ? sql`(${key}, ${w.id}) ${sql.raw(isDone ? "<" : ">")} (
          select ${sql.raw(isDone ? "ended_at" : "requested_at")}, id from withdrawals where id = ${after}::uuid)`
    : undefined;
  return db
    .select({
      ...columns,
      heldUntil: heldUntil(now),
      failedAt,
      customerName: users.name,
      customerEmail: users.email,
      isException,
    })
    .from(w)
    .innerJoin(users, eq(users.id, w.customerId))
    .leftJoin(p, eq(p.withdrawalId, w.id))
    .where(
      and(
        queue === "confirmed" ? toDecide : inArray(w.state, withdrawalQueues[queue]),
        search
          ? or(ilike(users.name, like), ilike(users.email, like), ilike(w.address, like))
          : undefined,
        seen,
      ),
    )
    .orderBy(...(isDone ? [desc(w.endedAt), desc(w.id)] : [asc(w.requestedAt), asc(w.id)]))
    .limit(limit);
}

export type QueuedWithdrawal = Awaited<ReturnType<typeof listWithdrawalQueue>>[number];

/** The oldest one that waits for an approver, other than this. */
export async function findNextWithdrawal(db: Db, exceptId: string): Promise<string | null> {
  const [next] = await db
    .select({ id: w.id })
    .from(w)
    .where(and(eq(w.state, "confirmed"), ne(w.id, exceptId)))
    .orderBy(asc(w.requestedAt), asc(w.id))
    .limit(1);
  return next?.id ?? null;
}
