import { actAsOperator } from "../identity/act-as-operator.ts";
import type { ActingOperator } from "../identity/operator.ts";
import type { Db } from "../platform/database.ts";
import { readUnsigned, type Unsigned } from "./batches/queries.ts";
import { isUuid, subjectOfBatch } from "./withdrawal.ts";

/** Takes a version away to be signed, and writes down that this was done. Null when there is none. */
export async function downloadUnsigned(
  db: Db,
  operator: ActingOperator,
  { batchId, number }: { batchId: string; number: number },
  now: Date,
): Promise<Unsigned | null> {
  const unsigned = isUuid(batchId) ? await readUnsigned(db, { batchId, number }) : null;
  if (!unsigned) return null;
  const act = {
    ...{ act: "withdrawals/download-psbt" as const, subject: subjectOfBatch(batchId) },
    ...{ detail: { version: number }, now },
  };
  return actAsOperator(db, operator, act, async () => unsigned);
}
