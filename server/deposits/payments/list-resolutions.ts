import type { Coin } from "#core/asset.ts";
import { asc, desc, eq, type SQL, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { chainPayments } from "../../chain/schema.ts";
import { users } from "../../identity/schema.ts";
import type { Db } from "../../platform/database.ts";
import { deposits, paymentResolutions } from "../schema.ts";
import { coinOfDeposit } from "./list-credits-to-settle.ts";

const d = deposits;
const p = chainPayments;
const r = paymentResolutions;
const proposer = alias(users, "proposer");
const decider = alias(users, "decider");

function selectResolutions(db: Db) {
  const of = (what: SQL) => sql`(
    select ${what} from resolved_payments of_it join chain_payments c on c.id = of_it.payment_id
     where of_it.resolution_id = ${r.id})`;
  return db
    .select({
      id: r.id,
      says: r.says,
      reason: r.reason,
      state: r.state,
      proposedBy: r.proposedBy,
      proposedAt: r.proposedAt,
      proposerName: proposer.name,
      decidedAt: r.decidedAt,
      deciderName: decider.name,
      payments: sql<number>`${of(sql`count(*)::int`)}`,
      units: sql`coalesce(${d.quantityUnits}, ${of(sql`sum(c.units)`)})`.mapWith(p.units),
      asset: sql<Coin>`coalesce(${coinOfDeposit}, ${of(sql`min(c.asset)`)})`,
      paymentId: sql<string | null>`${of(sql`min(c.id::text)`)}`,
      depositId: r.depositId,
    })
    .from(r)
    .leftJoin(d, eq(d.id, r.depositId))
    .innerJoin(proposer, eq(proposer.id, r.proposedBy))
    .leftJoin(decider, eq(decider.id, r.decidedBy))
    .$dynamic();
}

export type PaymentResolutionRow = Awaited<ReturnType<typeof selectResolutions>>[number];

/** What was said of a payment, newest first. */
export function listResolutionsOf(db: Db, paymentId: string): Promise<PaymentResolutionRow[]> {
  return selectResolutions(db)
    .where(
      sql`exists (select from resolved_payments i where i.resolution_id = ${r.id} and i.payment_id = ${paymentId})`,
    )
    .orderBy(desc(r.proposedAt), desc(r.id))
    .limit(20);
}

/** What was said of a deposit that was approved by mistake, newest first. */
export function listResolutionsOfDeposit(
  db: Db,
  depositId: string,
): Promise<PaymentResolutionRow[]> {
  return selectResolutions(db)
    .where(eq(r.depositId, depositId))
    .orderBy(desc(r.proposedAt), desc(r.id))
    .limit(20);
}

/** What waits for a colleague, the oldest first. */
export function listOpenResolutions(db: Db, limit: number): Promise<PaymentResolutionRow[]> {
  return selectResolutions(db)
    .where(eq(r.state, "open"))
    .orderBy(asc(r.proposedAt), asc(r.id))
    .limit(limit);
}
