import type { Db, Tx } from "#server/platform/database.ts";
import { asc, desc, eq } from "#server/platform/sql.ts";
import { plans, planVersions } from "../schema.ts";
import type { PlanVersion } from "./plan.ts";

export type ListedVersion = PlanVersion & { slug: string };

/** What is offered now, the cheapest first. */
export async function listPublishedVersions(db: Db | Tx): Promise<ListedVersion[]> {
  const rows = await db
    .select({ version: planVersions, slug: plans.slug })
    .from(planVersions)
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(eq(planVersions.state, "published"))
    .orderBy(asc(planVersions.priceUsdCents), asc(planVersions.id))
    .limit(100);
  return rows.map(({ version, slug }) => ({ ...version, slug }));
}

/** Every version of every plan: plans by name in addresses, their newest versions first. */
export async function listVersions(db: Db | Tx): Promise<ListedVersion[]> {
  const rows = await db
    .select({ version: planVersions, slug: plans.slug })
    .from(planVersions)
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .orderBy(asc(plans.slug), desc(planVersions.version))
    .limit(1000);
  return rows.map(({ version, slug }) => ({ ...version, slug }));
}
