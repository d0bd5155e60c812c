import type { Coin } from "#core/asset.ts";
import type { AbandonmentState } from "#core/payments/withdrawal.ts";
import { desc, eq, type SQL, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../../identity/schema.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { withdrawalBatches } from "../schema.ts";

const b = withdrawalBatches;
const formers = alias(users, "formers");

/** What is paid of each coin. */
export type Totals = Partial<Record<Coin, bigint>>;

function toTotals(sums: Record<string, string>): Totals {
  return Object.fromEntries(Object.entries(sums).map(([coin, units]) => [coin, BigInt(units)]));
}

/** What two people said, or one and another has not yet, of ending a batch without sending it; null: nothing that stands. */
export const ending: SQL<Exclude<AbandonmentState, "declined"> | null> = sql`(
  select a.state from withdrawal_abandonments a where a.batch_id = ${b.id} and a.state <> 'declined' limit 1)`;

/** Of the version of a batch that was built last. */
const newest = (what: SQL): SQL<boolean> => sql<boolean>`(
  select ${what} is not null from withdrawal_batch_versions n where n.batch_id = ${b.id} order by n.number desc limit 1)`;

/** Batches, newest first; those that wait for a person before all others. */
export async function listBatches(db: Db | Tx, limit: number) {
  const listed = await db
    .select({
      id: b.id,
      day: b.day,
      state: b.state,
      ending,
      purpose: b.purpose,
      needsTwo: b.needsTwo,
      formedAt: b.formedAt,
      endedAt: b.endedAt,
      isSigned: newest(sql`n.signed_at`),
      isOrdered: newest(sql`n.ordered_at`),
      isMined: sql<boolean>`${b.minedHash} is not null`,
      formedBy: formers.name,
      chain: b.chain,
      payments: sql<number>`(select count(*)::int from withdrawals each where each.batch_id = ${b.id})`,
      totals: sql<Record<string, string>>`(
        select coalesce(jsonb_object_agg(each.asset, each.units::text), '{}') from (
          select asset, sum(units - fee_units) as units from withdrawals where batch_id = ${b.id} group by asset) each)`.mapWith(
        toTotals,
      ),
    })
    .from(b)
    .innerJoin(formers, eq(formers.id, b.formedBy))
    .orderBy(sql`${b.state} not in ('formed', 'broadcast')`, desc(b.formedAt))
    .limit(limit);
  return listed
    .map((batch) => ({ ...batch, waits: waitsForStaff(batch) }))
    .sort(
      (one, other) => Number(other.waits) - Number(one.waits) || +other.formedAt - +one.formedAt,
    );
}

/** Whether a batch, or a version that is to take the place of what was sent, waits to be signed, sent, or for a word on its end. */
function waitsForStaff(batch: {
  isMined: boolean;
  endedAt: Date | null;
  ending: AbandonmentState | null;
  isOrdered: boolean;
}): boolean {
  if (batch.endedAt !== null) return false;
  if (batch.ending !== null) return batch.ending === "open";
  return !batch.isOrdered && !batch.isMined;
}
