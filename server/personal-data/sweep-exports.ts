import { and, asc, eq, gt, isNotNull, lte, ne } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import { dataExports } from "./schema.ts";

const batch = 100;

/**
 * Ends copies whose time is over and deletes the files of all that have ended. With the row's secret the file is
 * unreadable before it is gone; whatever dies in between, the next sweep finishes it.
 */
export async function sweepExports(
  { db, files }: { db: Db; files: FileStore },
  now: Date,
): Promise<void> {
  await db
    .update(dataExports)
    .set({ state: "ended", endedAt: now, secret: null })
    .where(and(ne(dataExports.state, "ended"), lte(dataExports.expiresAt, now)));
  const listGone = (after: string) =>
    db
      .select({ id: dataExports.id, fileKey: dataExports.fileKey })
      .from(dataExports)
      .where(
        and(
          eq(dataExports.state, "ended"),
          isNotNull(dataExports.fileKey),
          gt(dataExports.id, after),
        ),
      )
      .orderBy(asc(dataExports.id))
      .limit(batch);
  await runEach(inPages(listGone), async ({ id, fileKey }) => {
    if (fileKey) await files.delete(fileKey);
    await db.update(dataExports).set({ fileKey: null }).where(eq(dataExports.id, id));
  });
}
