import { and, asc, eq, gt, lt } from "#server/platform/sql.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db } from "../platform/database.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import { giveBack } from "./give-back.ts";
import { withdrawals } from "./schema.ts";

/**
 * Cancels withdrawals that nobody confirmed in time, and tells their customers. One that cannot be cancelled keeps no other one
 * waiting.
 *
 * @throws the first error there was, once all were tried
 */
export async function expireUnconfirmed(db: Db, now: Date): Promise<void> {
  const isLate = and(eq(withdrawals.state, "requested"), lt(withdrawals.confirmBy, now));
  const listLate = (after: string) =>
    db
      .select({ id: withdrawals.id })
      .from(withdrawals)
      .where(and(isLate, gt(withdrawals.id, after)))
      .orderBy(asc(withdrawals.id))
      .limit(1000);
  await runEach(inPages(listLate), ({ id }) =>
    db.transaction(async (tx) => {
      const [found] = await tx
        .select()
        .from(withdrawals)
        .where(and(eq(withdrawals.id, id), isLate))
        .for("update");
      if (!found) return;
      await giveBack(tx, found, { state: "cancelled", endedBy: "time" }, now);
      const { customerId, asset, units, address } = found;
      const facts = { withdrawalId: id, asset, units, address };
      const notice = { kind: "withdrawal-expired" as const, ...facts };
      await sendNoticeLater(tx, { customerId, notice });
    }),
  );
}
