import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { customerFlags } from "./schema.ts";

/**
 * Ends a flag before its time. One that has been lifted stays so.
 *
 * Refuses with staff-notes/no-such-flag, and as `actAsOperator` does.
 */
export async function liftFlag(
  db: Db,
  operator: ActingOperator,
  { customerId, flagId }: { customerId: string; flagId: string },
  now: Date,
): Promise<void> {
  if (!isUuid(flagId)) throw new Refusal("staff-notes/no-such-flag");
  await db.transaction(async (tx) => {
    const isThis = and(eq(customerFlags.id, flagId), eq(customerFlags.customerId, customerId));
    const [flag] = await tx.select().from(customerFlags).where(isThis).for("update");
    if (!flag) throw new Refusal("staff-notes/no-such-flag");
    if (flag.liftedAt) return;
    const subject = `customer:${customerId}`;
    const detail = { flag: flag.kind };
    const act = { act: "staff-notes/lift-flag" as const, subject, customerId, detail, now };
    await actAsOperator(tx, operator, act, (inner, auditId) =>
      inner
        .update(customerFlags)
        .set({ liftedBy: operator.id, liftedByAct: auditId, liftedAt: now })
        .where(isThis),
    );
  });
}
