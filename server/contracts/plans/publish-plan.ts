import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db } from "../../platform/database.ts";
import { planVersions } from "../schema.ts";
import { findAuthor } from "./find-author.ts";
import { lockVersion } from "./lock-version.ts";
import { detailOfTerms, markOfTerms } from "./plan.ts";

/**
 * Offers a version to customers, exactly as it was shown (`seen`, see `markOfTerms`). Another person than the one who wrote it last does
 * so, unless nobody else could. The version that was offered until now is retired by the same act; contracts keep the one that they were
 * bought under. Publishing what is published changes nothing.
 *
 * @throws Refusal `plans/no-such-version`, `plans/already-retired`, `plans/changed-meanwhile`, `plans/own-draft`, and as `actAsOperator`
 * does
 */
export function publishPlan(
  db: Db,
  operator: ActingOperator,
  { versionId, seen }: { versionId: string; seen: string },
  now: Date,
): Promise<void> {
  return db.transaction(async (tx) => {
    const version = await lockVersion(tx, versionId);
    if (version.state === "published") return;
    if (version.state === "retired") throw new Refusal("plans/already-retired");
    if (markOfTerms(version) !== seen) throw new Refusal("plans/changed-meanwhile");
    const author = await findAuthor(tx, versionId, operator.id);
    if (author.isOwn && author.hasOther) throw new Refusal("plans/own-draft");
    const act = {
      act: "plans/publish" as const,
      subject: `plan-version:${versionId}`,
      detail: {
        version: version.version,
        ...detailOfTerms(version),
        ...(author.isOwn && { alone: true }),
      },
      now,
    };
    await actAsOperator(tx, operator, act, async (inner, actionId) => {
      const isOffered = and(
        eq(planVersions.planId, version.planId),
        eq(planVersions.state, "published"),
      );
      const retired = { state: "retired", retiredAt: now, retiredActionId: actionId } as const;
      await inner.update(planVersions).set(retired).where(isOffered);
      await inner
        .update(planVersions)
        .set({ state: "published", publishedAt: now, publishedActionId: actionId })
        .where(eq(planVersions.id, versionId));
    });
  });
}
