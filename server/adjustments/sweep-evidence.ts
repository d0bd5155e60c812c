import { and, asc, eq, gt, inArray, isNotNull, isNull, lt } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import { draftLifeMs } from "./adjustment.ts";
import { adjustmentEvidence } from "./schema.ts";

const e = adjustmentEvidence;
const batch = 100;

/**
 * Deletes evidence that no proposal used within a day, with its files. First it is written down that nobody may use it
 * any more, then the file goes, then the row: whatever dies in between, the next sweep finishes it.
 */
export async function sweepEvidence(
  { db, files }: { db: Db; files: FileStore },
  now: Date,
): Promise<{ deleted: number }> {
  const expired = db
    .select({ id: e.id })
    .from(e)
    .where(
      and(
        isNull(e.usedAt),
        isNull(e.discardedAt),
        lt(e.createdAt, new Date(now.getTime() - draftLifeMs)),
      ),
    )
    .limit(batch)
    .for("update", { skipLocked: true });
  await db.update(e).set({ discardedAt: now }).where(inArray(e.id, expired));
  const listGone = (after: string) =>
    db
      .select({ id: e.id, fileKey: e.fileKey })
      .from(e)
      .where(and(isNotNull(e.discardedAt), gt(e.id, after)))
      .orderBy(asc(e.id))
      .limit(batch);
  let deleted = 0;
  await runEach(inPages(listGone), async ({ id, fileKey }) => {
    await files.delete(fileKey);
    await db.delete(e).where(eq(e.id, id));
    deleted += 1;
  });
  return { deleted };
}
