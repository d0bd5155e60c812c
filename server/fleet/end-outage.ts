import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { lockOutage, requireStanding } from "./lock-outage.ts";
import { requirePlausibleTimes } from "./require-plausible-outage.ts";
import { outages } from "./schema.ts";

/**
 * Notes since when it runs again. Ended once: who says the same again changes nothing, and another time is a correction of its own.
 *
 * @throws Refusal `fleet/no-such-outage`, `fleet/outage-changed-meanwhile`, `fleet/outage-ends-before-it-starts`,
 *   `fleet/end-in-the-future`, and as `actAsOperator` does
 */
export function endOutage(
  db: Db,
  operator: ActingOperator,
  { outageId, endedAt }: { outageId: string; endedAt: Date },
  now: Date,
): Promise<void> {
  return db.transaction(async (tx) => {
    const outage = await lockOutage(tx, outageId);
    requireStanding(outage);
    if (outage.endedAt?.getTime() === endedAt.getTime()) return;
    if (outage.endedAt) throw new Refusal("fleet/outage-changed-meanwhile");
    requirePlausibleTimes(outage.startedAt, endedAt, now);
    const act = {
      act: "fleet/end-outage" as const,
      subject: `outage:${outageId}`,
      detail: { until: endedAt.toISOString() },
      now,
    };
    await actAsOperator(tx, operator, act, (inner, endActionId) =>
      inner.update(outages).set({ endedAt, endActionId }).where(eq(outages.id, outageId)),
    );
  });
}
