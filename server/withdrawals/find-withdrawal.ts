import { isUuid } from "#core/is-uuid.ts";
import { and, asc, eq, sql } from "#server/platform/sql.ts";
import { operators, users } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import { withdrawalBatches, withdrawalHolds, withdrawalPayments, withdrawals } from "./schema.ts";
import { columns, failedAt } from "./select-withdrawals.ts";

const w = withdrawals;
const h = withdrawalHolds;
const p = withdrawalPayments;

/** One withdrawal with its holds and where its batch stands; null when there is none, or it is somebody else's. */
export async function findWithdrawal(
  db: Db,
  { withdrawalId, customerId }: { withdrawalId: string; customerId?: string },
) {
  if (!isUuid(withdrawalId)) return null;
  const whose = customerId === undefined ? undefined : eq(w.customerId, customerId);
  const b = withdrawalBatches;
  const [found] = await db
    .select({
      ...columns,
      customerName: users.name,
      customerEmail: users.email,
      approvedBy: w.approvedBy,
      batchState: b.state,
      batchDay: b.day,
      batchedAt: b.formedAt,
      /** A credit of its coin has to be taken back, so it does not leave. */
      waitsForCredit: sql<boolean>`${w.endedAt} is null and ${w.state} <> 'broadcast'
        and is_credit_taken_back(${w.customerId}, ${w.asset})`,
      /** The contract at its address refused ether before, so it does not leave. */
      isRefused: sql<boolean>`${w.endedAt} is null and ${w.batchId} is null and has_reverted_before(${w.address}, ${w.asset})`,
      failedAt,
      minedHeight: sql<number | null>`coalesce(${b.minedHeight}, ${p.minedHeight})`,
    })
    .from(w)
    .innerJoin(users, eq(users.id, w.customerId))
    .leftJoin(b, eq(b.id, w.batchId))
    .leftJoin(p, eq(p.withdrawalId, w.id))
    .where(and(eq(w.id, withdrawalId), whose));
  if (!found) return null;
  const holds = await db
    .select({
      id: h.id,
      reason: h.reason,
      placedAt: h.placedAt,
      endsAt: h.endsAt,
      liftedAt: h.liftedAt,
      owner: users.firstName,
      ownerName: users.name,
    })
    .from(h)
    .innerJoin(operators, eq(operators.id, h.placedBy))
    .innerJoin(users, eq(users.id, operators.id))
    .where(eq(h.withdrawalId, withdrawalId))
    .orderBy(asc(h.placedAt));
  return { ...found, holds };
}

export type WithdrawalCase = NonNullable<Awaited<ReturnType<typeof findWithdrawal>>>;
