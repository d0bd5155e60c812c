import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import { listEvidenceToErase } from "./list-evidence-to-erase.ts";
import { adjustmentEvidence } from "./schema.ts";

const batch = 100;

/**
 * Erases evidence that nobody can ask for any more: its file and its name. Its hashes stay beside the adjustment. The
 * file goes first: whatever dies in between, the next run finishes it.
 */
export async function eraseEvidence(
  { db, files }: { db: Db; files: FileStore },
  now: Date,
): Promise<{ erased: number }> {
  let erased = 0;
  const due = inPages((after) => listEvidenceToErase(db, { now, after, limit: batch }));
  await runEach(due, async ({ id, fileKey }) => {
    await files.delete(fileKey);
    await db
      .update(adjustmentEvidence)
      .set({ erasedAt: now, originalName: "" })
      .where(eq(adjustmentEvidence.id, id));
    erased += 1;
  });
  return { erased };
}
