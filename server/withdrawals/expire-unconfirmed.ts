import { and, asc, eq, gt, lt } from "#server/platform/sql.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db } from "../platform/database.ts";
import { giveBack } from "./give-back.ts";
import { withdrawals } from "./schema.ts";

/**
 * Cancels withdrawals that nobody confirmed in time, and tells their customers. One that cannot be cancelled keeps no other one
 * waiting.
 *
 * @throws the first error there was, once all were tried
 */
export async function expireUnconfirmed(db: Db, now: Date): Promise<void> {
  const errors: unknown[] = [];
  let after = "00000000-0000-0000-0000-000000000000";
  for (let late = await listLate(db, after, now); late.length > 0; ) {
    for (const { id } of late) {
      await expire(db, id, now).catch((cause) => {
        errors.push(new Error(`the withdrawal ${id} cannot expire`, { cause }));
      });
      after = id;
    }
    late = await listLate(db, after, now);
  }
  if (errors.length > 0) throw errors[0];
}

const isLate = (now: Date) =>
  and(eq(withdrawals.state, "requested"), lt(withdrawals.confirmBy, now));

function listLate(db: Db, after: string, now: Date) {
  return db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .where(and(isLate(now), gt(withdrawals.id, after)))
    .orderBy(asc(withdrawals.id))
    .limit(1000);
}

async function expire(db: Db, id: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const [found] = await tx
      .select()
      .from(withdrawals)
      .where(and(eq(withdrawals.id, id), isLate(now)))
      .for("update");
    if (!found) return;
    await giveBack(tx, found, { state: "cancelled", endedBy: "time" }, now);
    const { customerId, asset, units, address } = found;
    const facts = { withdrawalId: id, asset, units, address };
    const notice = { kind: "withdrawal-expired" as const, ...facts };
    await sendNoticeLater(tx, { customerId, notice });
  });
}
