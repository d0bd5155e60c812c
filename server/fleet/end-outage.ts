import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/act-as-operator.ts";
import type { ActingOperator } from "../identity/operator.ts";
import type { Db } from "../platform/database.ts";
import { outages } from "./schema.ts";

/**
 * Notes since when it runs again. Ended once; who says it again changes nothing.
 *
 * @throws Refusal `fleet/no-such-outage`, `fleet/outage-ends-before-it-starts`, `fleet/outage-in-the-future`, and as
 *   `actAsOperator` does
 */
export function endOutage(
  db: Db,
  operator: ActingOperator,
  { outageId, endedAt }: { outageId: string; endedAt: Date },
  now: Date,
): Promise<void> {
  return db.transaction(async (tx) => {
    const [outage] = await tx.select().from(outages).where(eq(outages.id, outageId)).for("update");
    if (!outage) throw new Refusal("fleet/no-such-outage");
    if (outage.endedAt) return;
    if (endedAt < outage.startedAt) throw new Refusal("fleet/outage-ends-before-it-starts");
    if (endedAt > now) throw new Refusal("fleet/outage-in-the-future");
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
