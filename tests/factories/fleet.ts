import { randomUUID } from "node:crypto";
import { draftPlan } from "#server/contracts/plans/draft-plan.ts";
import { markOfTerms, type PlanTerms } from "#server/contracts/plans/plan.ts";
import { publishPlan } from "#server/contracts/plans/publish-plan.ts";
import { addDelivery } from "#server/fleet/add-delivery.ts";
import { addSite } from "#server/fleet/add-site.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { createTestOperator } from "./operator.ts";

type Staff = ActingOperator;

let count = 0;

/** Machines of 100 TH/s each at a site of their own. */
export async function createTestDelivery(
  db: Db,
  operator: Staff,
  wanted: { machines?: number; effectiveFrom?: string; now?: Date } = {},
): Promise<{ siteId: string; deliveryId: string }> {
  count += 1;
  const { machines = 10, effectiveFrom = "2026-01-01", now = new Date() } = wanted;
  const site = { name: `Site ${count}`, place: "Boden, Sweden" };
  const { siteId } = await addSite(db, operator, site, now);
  const delivery = {
    deliveryId: randomUUID(),
    siteId,
    model: "Antminer S21",
    nameplateGhs: 100_000n,
    effectiveFrom,
    machines,
    measuredGhs: 100_000n,
    powerWatts: 1_750,
    evidence: "Measured by the pool",
  };
  await addDelivery(db, operator, delivery, now);
  return { siteId, deliveryId: delivery.deliveryId };
}

export const testTerms: PlanTerms = {
  name: "Start",
  unitGhs: 1_000n,
  termDays: 360,
  mostUnits: 1_000,
  offeredGhs: null,
  machinesUsdCents: 1_350n,
  setupUsdCents: 150n,
  marginUsdCents: 300n,
  energyUsdMicros: 41_000n,
  operationUsdMicros: 6_000n,
  maintenanceMarginUsdMicros: 5_000n,
  termination: "refund-unserved",
};

/** A version of a new plan: published by somebody else, unless it shall stay a draft. */
export async function createTestPlanVersion(
  db: Db,
  operator: Staff,
  wanted: { terms?: Partial<PlanTerms>; publish?: boolean; now?: Date } = {},
): Promise<{ planId: string; versionId: string; terms: PlanTerms }> {
  count += 1;
  const now = wanted.now ?? new Date();
  const terms = { ...testTerms, ...wanted.terms };
  const planId = randomUUID();
  const plan = { planId, slug: `plan-${count}`, terms };
  const { versionId } = await draftPlan(db, operator, plan, now);
  if (wanted.publish ?? true) {
    const another = await createTestOperator(db);
    await publishPlan(db, another, { versionId, seen: markOfTerms(terms) }, now);
  }
  return { planId, versionId, terms };
}
