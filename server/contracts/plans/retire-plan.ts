import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db } from "../../platform/database.ts";
import { planVersions } from "../schema.ts";
import { lockVersion } from "./lock-version.ts";

/**
 * Offers a plan no longer. Contracts run on as they were bought. Retiring what is retired changes nothing.
 *
 * @throws Refusal `plans/no-such-version`, `plans/not-published`, and as `actAsOperator` does
 */
export function retirePlan(
  db: Db,
  operator: ActingOperator,
  versionId: string,
  now: Date,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { state, version, name } = await lockVersion(tx, versionId);
    if (state === "retired") return;
    if (state === "draft") throw new Refusal("plans/not-published");
    const act = {
      act: "plans/retire" as const,
      subject: `plan-version:${versionId}`,
      detail: { version, name },
      now,
    };
    await actAsOperator(tx, operator, act, (inner, actionId) =>
      inner
        .update(planVersions)
        .set({ state: "retired", retiredAt: now, retiredActionId: actionId })
        .where(eq(planVersions.id, versionId)),
    );
  });
}
