import { randomUUIDv7 } from "node:crypto";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { sentBefore } from "../../platform/sent-before.ts";
import { plans, planVersions } from "../schema.ts";
import { findSentDraft } from "./find-sent-draft.ts";
import { lockPlans } from "./lock-plans.ts";
import { detailOfTerms, type PlanTerms, withSums } from "./plan.ts";
import { refusals } from "./refusals.ts";

/**
 * Begins a plan with the draft of its first version. The same id again is the same plan, however often the form arrives.
 *
 * @throws Refusal `plans/slug-taken` and the others of `refusals.ts`, `platform/sent-otherwise`, and as `actAsOperator` does
 */
export function draftPlan(
  db: Db,
  operator: ActingOperator,
  { planId, slug, terms }: { planId: string; slug: string; terms: PlanTerms },
  now: Date,
): Promise<{ versionId: string }> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockPlans(tx);
      const sent = await findSentDraft(tx, planId);
      const detail = { slug, version: 1, ...detailOfTerms(terms) };
      if (sent && sentBefore(sent.detail, detail)) return { versionId: sent.versionId };
      const versionId = randomUUIDv7();
      const subject = `plan-version:${versionId}`;
      const act = { act: "plans/draft" as const, subject, detail, now };
      await actAsOperator(tx, operator, act, async (inner, actionId) => {
        await inner.insert(plans).values({ id: planId, slug, createdAt: now, actionId });
        await inner.insert(planVersions).values({
          id: versionId,
          planId,
          version: 1,
          ...withSums(terms),
          createdAt: now,
          createdActionId: actionId,
        });
      });
      return { versionId };
    }),
  );
}
