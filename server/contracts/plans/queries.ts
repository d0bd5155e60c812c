import { auditLog, users } from "#server/identity/schema.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { and, asc, desc, eq, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import type { PlanVersion } from "./plan.ts";
import { plans, planVersions } from "./schema.ts";

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

/**
 * Whether this operator wrote in a draft last, and whether another person could publish it: then this one does not
 * (`plans_are_published_by_another_person`).
 */
export async function findAuthor(
  db: Db | Tx,
  versionId: string,
  operatorId: string,
): Promise<{ isOwn: boolean; hasOther: boolean }> {
  const [last] = await db
    .select({
      by: auditLog.operatorId,
      hasOther: sql<boolean>`another_person_decides(${operatorId})`,
    })
    .from(auditLog)
    .where(and(eq(auditLog.act, "plans/draft"), eq(auditLog.subject, `plan-version:${versionId}`)))
    .orderBy(desc(auditLog.position))
    .limit(1);
  return { isOwn: last?.by === operatorId, hasOther: last?.hasOther ?? false };
}

const draftAct = alias(auditLog, "draft_act");
const publishAct = alias(auditLog, "publish_act");
const retireAct = alias(auditLog, "retire_act");
const drafter = alias(users, "drafter");
const publisher = alias(users, "publisher");
const retirer = alias(users, "retirer");

/** A version with who drafted, published and retired it. */
export async function findVersion(db: Db | Tx, versionId: string) {
  const [row] = await db
    .select({
      version: planVersions,
      slug: plans.slug,
      draftedBy: drafter.name,
      publishedBy: publisher.name,
      retiredBy: retirer.name,
    })
    .from(planVersions)
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .innerJoin(draftAct, eq(draftAct.id, planVersions.createdActionId))
    .leftJoin(drafter, eq(drafter.id, draftAct.operatorId))
    .leftJoin(publishAct, eq(publishAct.id, planVersions.publishedActionId))
    .leftJoin(publisher, eq(publisher.id, publishAct.operatorId))
    .leftJoin(retireAct, eq(retireAct.id, planVersions.retiredActionId))
    .leftJoin(retirer, eq(retirer.id, retireAct.operatorId))
    .where(eq(planVersions.id, versionId));
  if (!row) return null;
  const { version, ...rest } = row;
  return { ...version, ...rest };
}
