import { auditLog, users } from "#server/identity/schema.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { eq } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { plans, planVersions } from "../schema.ts";

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
