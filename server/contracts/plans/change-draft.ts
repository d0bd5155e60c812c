import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { planVersions } from "../schema.ts";
import { lockVersion } from "./lock-version.ts";
import { detailOfTerms, markOfTerms, type PlanTerms, withSums } from "./plan.ts";
import { refusals } from "./refusals.ts";

/**
 * Changes a draft. `seen` is the mark of what the page showed (`markOfTerms`).
 *
 * @throws Refusal `plans/no-such-version`, `plans/not-a-draft`, `plans/changed-meanwhile`, the others of `refusals.ts`,
 *   and as `actAsOperator` does
 */
export function changeDraft(
  db: Db,
  operator: ActingOperator,
  { versionId, terms, seen }: { versionId: string; terms: PlanTerms; seen: string },
  now: Date,
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const before = await lockVersion(tx, versionId);
      if (before.state !== "draft") throw new Refusal("plans/not-a-draft");
      const mark = markOfTerms(before);
      if (mark === markOfTerms(terms)) return;
      if (mark !== seen) throw new Refusal("plans/changed-meanwhile");
      const act = {
        act: "plans/draft" as const,
        subject: `plan-version:${versionId}`,
        detail: { version: before.version, ...detailOfTerms(terms) },
        now,
      };
      await actAsOperator(tx, operator, act, (inner) =>
        inner.update(planVersions).set(withSums(terms)).where(eq(planVersions.id, versionId)),
      );
    }),
  );
}
