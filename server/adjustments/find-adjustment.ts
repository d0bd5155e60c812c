import { isUuid } from "#core/is-uuid.ts";
import { and, eq, or, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { columns } from "./list-adjustments.ts";
import { adjustmentEvidence, adjustments } from "./schema.ts";

const a = adjustments;

const e = adjustmentEvidence;

const people = alias(users, "people");

const proposers = alias(users, "proposers");

const deciders = alias(users, "deciders");

const reversals = alias(adjustments, "reversals");

/** One adjustment with all that its decision needs; null when there is none. */
export async function findAdjustment(db: Db | Tx, id: string) {
  if (!isUuid(id)) return null;
  const [found] = await db
    .select({
      ...columns,
      note: a.note,
      txid: a.txid,
      feeUnits: a.feeUnits,
      isOnChain: a.isOnChain,
      /** A payout of the same transaction that staff refused: the pool's coins may be called the operator's own. */
      refusedPayoutId: sql<string | null>`(
        select p.id from pool_payouts p where p.txid = ${a.txid} and p.state = 'refused' order by p.decided_at desc limit 1)`,
      evidenceName: e.originalName,
      evidenceMediaType: e.mediaType,
      evidenceByteSize: e.byteSize,
      evidenceSha256: sql<string | null>`encode(${e.sha256}, 'hex')`,
      evidenceErasedAt: e.erasedAt,
      /** The reversal that waits or was approved. */
      reversalId: reversals.id,
      reversalState: reversals.state,
    })
    .from(a)
    .innerJoin(proposers, eq(proposers.id, a.proposedBy))
    .leftJoin(people, eq(people.id, a.customerId))
    .leftJoin(deciders, eq(deciders.id, a.decidedBy))
    .leftJoin(e, eq(e.id, a.evidenceId))
    .leftJoin(
      reversals,
      and(
        eq(reversals.reverses, a.id),
        or(eq(reversals.state, "open"), eq(reversals.state, "approved")),
      ),
    )
    .where(eq(a.id, id));
  return found ?? null;
}

export type AdjustmentCase = NonNullable<Awaited<ReturnType<typeof findAdjustment>>>;
