import type { Coin } from "#core/asset.ts";
import { prepared } from "#server/platform/database/prepared.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { and, asc, eq, sql } from "#server/platform/sql.ts";
import { ledgerMovements } from "./schema.ts";
import type { PostedKind } from "./transfer.ts";

export interface MovementTotal {
  kind: PostedKind;
  asset: Coin;
  /** Signed: positive came in. Reversals are taken off the kind that they reverse. */
  units: bigint;
  entries: number;
}

/** What movements of these kinds have brought and cost a customer, per kind and coin; nothing where none happened. */
export async function listMovementTotals(
  db: Db | Tx,
  customerId: string,
  kinds: readonly PostedKind[],
): Promise<MovementTotal[]> {
  const rows = await selectMovementTotals(db, { customerId, kinds });
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

const selectMovementTotals = prepared((db) => {
  const m = ledgerMovements;
  const entries = sql`sum(${m.entries})`.mapWith(Number);
  const wanted = sql`${m.kind} = any(${sql.placeholder("kinds")})`;
  return db
    .select({ kind: m.kind, asset: m.asset, units: sql<string>`sum(${m.units})`, entries })
    .from(m)
    .where(and(eq(m.ownerId, sql.placeholder("customerId")), wanted))
    .groupBy(m.kind, m.asset)
    .orderBy(asc(m.kind), asc(m.asset))
    .prepare("ledger_movement_totals");
});
