import { actAsOperator } from "../identity/act-as-operator.ts";
import type { ActingOperator } from "../identity/operator.ts";
import type { Db } from "../platform/database.ts";
import { readPsbt } from "./batches/queries.ts";
import { isUuid, subjectOfBatch } from "./withdrawal.ts";

/** Takes a version away to be signed, and writes down that this was done. Null when there is none. */
export async function downloadPsbt(
  db: Db,
  operator: ActingOperator,
  { batchId, number }: { batchId: string; number: number },
  now: Date,
): Promise<Uint8Array | null> {
  const psbt = isUuid(batchId) ? await readPsbt(db, { batchId, number }) : null;
  if (!psbt) return null;
  const act = {
    ...{ act: "withdrawals/download-psbt" as const, subject: subjectOfBatch(batchId) },
    ...{ detail: { version: number }, now },
  };
  return actAsOperator(db, operator, act, async () => psbt);
}
