import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { lockOutage, requireStanding } from "./lock-outage.ts";
import { refusals } from "./refusals.ts";
import { outages } from "./schema.ts";

/**
 * Takes back an outage that never was. What it said stays, for staff and for receipts of days that were posted while it
 * stood. Taking back what is taken back changes nothing.
 *
 * @throws Refusal `fleet/no-such-outage`, `fleet/outage-changed-meanwhile`, `fleet/correction-unexplained`, and as
 *   `actAsOperator` does
 */
export function withdrawOutage(
  db: Db,
  operator: ActingOperator,
  { outageId, why }: { outageId: string; why: string },
  now: Date,
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const outage = await lockOutage(tx, outageId);
      if (outage.withdrawnAt) return;
      requireStanding(outage);
      const act = {
        act: "fleet/withdraw-outage" as const,
        subject: `outage:${outageId}`,
        detail: { why: why.trim() },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, withdrawalActionId) =>
        inner
          .update(outages)
          .set({ withdrawnAt: now, withdrawalReason: why.trim(), withdrawalActionId })
          .where(eq(outages.id, outageId)),
      );
    }),
  );
}
