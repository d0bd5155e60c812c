import type { AdjustmentKind, AdjustmentState } from "#core/payments/adjustments.ts";
import { containing } from "#server/platform/containing.ts";
import { keyset } from "#server/platform/keyset.ts";
import { and, count, desc, eq, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { adjustments } from "./schema.ts";

const a = adjustments;

const people = alias(users, "people");

const proposers = alias(users, "proposers");

const deciders = alias(users, "deciders");

export const columns = {
  id: a.id,
  kind: a.kind,
  customerId: a.customerId,
  customerName: people.name,
  customerEmail: people.email,
  asset: a.asset,
  units: a.units,
  reason: a.reason,
  reverses: a.reverses,
  proposedBy: a.proposedBy,
  proposerName: sql<string>`coalesce(${proposers.name}, '')`,
  proposedAt: a.proposedAt,
  state: a.state,
  decidedBy: a.decidedBy,
  deciderName: deciders.name,
  decidedAt: a.decidedAt,
  rejectionReason: a.rejectionReason,
  transferId: a.transferId,
  /** The approved adjustment that took this one back. */
  reversedBy: sql<string | null>`(
    select r.id from adjustments r where r.reverses = ${a.id} and r.state = 'approved')`,
};

function selectAdjustments(db: Db | Tx) {
  return db
    .select(columns)
    .from(a)
    .innerJoin(proposers, eq(proposers.id, a.proposedBy))
    .leftJoin(people, eq(people.id, a.customerId))
    .leftJoin(deciders, eq(deciders.id, a.decidedBy));
}

export type ListedAdjustment = Awaited<ReturnType<typeof selectAdjustments>>[number];

export interface AdjustmentFilter {
  state: AdjustmentState;
  kind?: AdjustmentKind | undefined;
  /** Part of the customer's name or e-mail, or of the reason. */
  search?: string | undefined;
  /** The id of the last one seen. */
  after?: string | undefined;
  limit: number;
}

/** Adjustments in one state: those that wait, the oldest first; others by their decision, newest first. */
export function listAdjustments(
  db: Db | Tx,
  { state, kind, search, after, limit }: AdjustmentFilter,
): Promise<ListedAdjustment[]> {
  const order =
    state === "open" ? keyset("asc", a.proposedAt, a.id) : keyset("desc", a.decidedAt, a.id);
  return selectAdjustments(db)
    .where(
      and(
        eq(a.state, state),
        kind ? eq(a.kind, kind) : undefined,
        containing(search, people.name, people.email, a.reason),
        order.beyond(after),
      ),
    )
    .orderBy(...order.by)
    .limit(limit);
}

/** A customer's adjustments in whatever state, newest first. */
export function listAdjustmentsOf(
  db: Db | Tx,
  customerId: string,
  limit: number,
): Promise<ListedAdjustment[]> {
  return selectAdjustments(db)
    .where(eq(a.customerId, customerId))
    .orderBy(desc(a.proposedAt), desc(a.id))
    .limit(limit);
}

/** How many adjustments a customer has, in whatever state. */
export async function countAdjustmentsOf(db: Db | Tx, customerId: string): Promise<number> {
  const [found] = await db.select({ count: count() }).from(a).where(eq(a.customerId, customerId));
  return found?.count ?? 0;
}
