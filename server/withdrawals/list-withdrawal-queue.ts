import type { WithdrawalState } from "#core/payments/withdrawal.ts";
import { containing } from "#server/platform/containing.ts";
import { keyset } from "#server/platform/keyset.ts";
import { and, asc, eq, inArray, isNotNull, isNull, ne, or, sql } from "#server/platform/sql.ts";
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
  const order = isDone ? keyset("desc", w.endedAt, w.id) : keyset("asc", w.requestedAt, w.id);
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
        containing(search, users.name, users.email, w.address),
        order.beyond(after),
      ),
    )
    .orderBy(...order.by)
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
