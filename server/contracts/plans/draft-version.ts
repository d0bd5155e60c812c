import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { desc, eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db } from "../../platform/database.ts";
import { planVersions } from "../schema.ts";
import { lockPlans } from "./lock-plans.ts";
import { detailOfTerms, termsOf, withSums } from "./plan.ts";

/**
 * Begins the next version of a plan with what the last one says. While there is a draft, that is it.
 *
 * @throws Refusal `plans/no-such-plan`, and as `actAsOperator` does
 */
export function draftVersion(
  db: Db,
  operator: ActingOperator,
  planId: string,
  now: Date,
): Promise<{ versionId: string }> {
  return db.transaction(async (tx) => {
    // Of two who begin at once the second finds the first one's draft.
    await lockPlans(tx);
    const [newest] = await tx
      .select()
      .from(planVersions)
      .where(eq(planVersions.planId, planId))
      .orderBy(desc(planVersions.version))
      .limit(1);
    if (!newest) throw new Refusal("plans/no-such-plan");
    if (newest.state === "draft") return { versionId: newest.id };
    const versionId = randomUUIDv7();
    const version = newest.version + 1;
    const terms = termsOf(newest);
    const act = {
      act: "plans/draft" as const,
      subject: `plan-version:${versionId}`,
      detail: { version, ...detailOfTerms(terms) },
      now,
    };
    await actAsOperator(tx, operator, act, (inner, createdActionId) =>
      inner.insert(planVersions).values({
        id: versionId,
        planId,
        version,
        ...withSums(terms),
        createdAt: now,
        createdActionId,
      }),
    );
    return { versionId };
  });
}
