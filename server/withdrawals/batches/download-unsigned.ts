import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db } from "../../platform/database.ts";
import { withdrawalBatches } from "../schema.ts";
import { subjectOfBatch } from "../withdrawal.ts";
import { isBeingEnded } from "./abandon-batch.ts";
import { readUnsigned, type Unsigned } from "./read-unsigned.ts";

/**
 * Takes a version away to be signed, and writes down that this was done. Null when there is none.
 *
 * @throws Refusal `withdrawals/being-ended` while somebody proposes to end the batch, and as `actAsOperator` does
 */
export async function downloadUnsigned(
  db: Db,
  operator: ActingOperator,
  { batchId, number }: { batchId: string; number: number },
  now: Date,
): Promise<Unsigned | null> {
  const unsigned = isUuid(batchId) ? await readUnsigned(db, { batchId, number }) : null;
  if (!unsigned) return null;
  const act = {
    act: "withdrawals/download-psbt" as const,
    subject: subjectOfBatch(batchId),
    detail: { version: number },
    now,
  };
  return db.transaction(async (tx) => {
    const b = withdrawalBatches;
    await tx.select({ id: b.id }).from(b).where(eq(b.id, batchId)).for("update");
    if (await isBeingEnded(tx, batchId)) throw new Refusal("withdrawals/being-ended");
    return actAsOperator(tx, operator, act, async () => unsigned);
  });
}
