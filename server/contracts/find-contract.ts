import { isUuid } from "#core/is-uuid.ts";
import { and, desc, eq, sql } from "#server/platform/sql.ts";
import { marketPrices } from "../markets/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { contractQuotes, contracts, plans, planVersions } from "./schema.ts";

const c = contracts;

const q = contractQuotes;

const v = planVersions;

const contractColumns = {
  contractId: c.id,
  customerId: c.customerId,
  planVersionId: c.planVersionId,
  planId: v.planId,
  planName: v.name,
  planVersion: v.version,
  slug: plans.slug,
  unitGhs: v.unitGhs,
  quantity: c.quantity,
  ghs: c.ghs,
  termDays: c.termDays,
  usdCents: c.usdCents,
  coin: c.coin,
  units: c.units,
  transferId: c.transferId,
  termsVersion: c.termsVersion,
  termsSha256: sql<string>`encode(${c.termsSha256}, 'hex')`,
  boughtAt: c.boughtAt,
  coolingOffUntil: c.coolingOffUntil,
  startsOn: c.startsOn,
  plannedLastDay: c.plannedLastDay,
  lastDay: c.lastDay,
  endReason: c.endReason,
  endedAt: c.endedAt,
  machinesUsdCents: v.machinesUsdCents,
  setupUsdCents: v.setupUsdCents,
  marginUsdCents: v.marginUsdCents,
  priceUsdCents: v.priceUsdCents,
  maintenanceUsdMicros: v.maintenanceUsdMicros,
  energyUsdMicros: v.energyUsdMicros,
  operationUsdMicros: v.operationUsdMicros,
  maintenanceMarginUsdMicros: v.maintenanceMarginUsdMicros,
  termination: v.termination,
  priceUsdE8: marketPrices.usdE8,
  priceObservedAt: marketPrices.observedAt,
  simulated: marketPrices.simulated,
};

function selectContracts(db: Db | Tx) {
  return db
    .select(contractColumns)
    .from(c)
    .innerJoin(v, eq(v.id, c.planVersionId))
    .innerJoin(plans, eq(plans.id, v.planId))
    .innerJoin(q, eq(q.id, c.quoteId))
    .innerJoin(marketPrices, eq(marketPrices.id, q.priceId));
}

/** A contract with the plan that it was bought under and the price that it was paid at. */
export type Contract = Awaited<ReturnType<typeof selectContracts>>[number];

/** A customer's contract; null when there is none of this id, or it is another's. */
export async function findContract(
  db: Db | Tx,
  customerId: string,
  contractId: string,
): Promise<Contract | null> {
  if (!isUuid(contractId)) return null;
  const [contract] = await selectContracts(db).where(
    and(eq(c.id, contractId), eq(c.customerId, customerId)),
  );
  return contract ?? null;
}

/** A customer's contracts, newest first. */
export async function listContracts(
  db: Db | Tx,
  customerId: string,
  limit = 100,
): Promise<Contract[]> {
  return selectContracts(db)
    .where(eq(c.customerId, customerId))
    .orderBy(desc(c.boughtAt), desc(c.id))
    .limit(limit);
}
