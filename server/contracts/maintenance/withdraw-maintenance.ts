import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { refusals } from "../refusals.ts";
import { maintenanceChanges } from "../schema.ts";
import { notifyOfMaintenanceLater } from "./announce-maintenance.ts";

/**
 * Takes an announced change back before it comes into force, and has the same people told. Taking back what is taken back
 * changes nothing.
 *
 * @throws Refusal `contracts/no-such-change`, `contracts/change-in-force`, `contracts/change-below-another` (a later one is announced),
 *   `contracts/short-notice` (it lowers the fee within seven days), and as `actAsOperator` does
 */
export function withdrawMaintenance(
  db: Db,
  operator: ActingOperator,
  changeId: string,
  now: Date,
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const [change] = await tx
        .select()
        .from(maintenanceChanges)
        .where(eq(maintenanceChanges.id, changeId))
        .for("update");
      if (!change) throw new Refusal("contracts/no-such-change");
      if (change.withdrawnAt) return;
      const act = {
        act: "contracts/withdraw-maintenance" as const,
        subject: `plan-version:${change.planVersionId}`,
        detail: { changeId, from: change.effectiveFrom },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, withdrawnActionId) => {
        await inner
          .update(maintenanceChanges)
          .set({ withdrawnAt: now, withdrawnActionId })
          .where(eq(maintenanceChanges.id, changeId));
        await notifyOfMaintenanceLater(inner, { changeId, after: null });
      });
    }),
  );
}
