import { and, asc, eq, gt, isNull, lt } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import { contactFiles } from "./schema.ts";

/** Far longer than sending a message takes: then a file of no message never gets one. */
const unusedMs = 24 * 3_600_000;
const atOnce = 100;

/**
 * Deletes files of no message: those that were never sent, and those whose thread is deleted. The file goes first, then its
 * row: what dies in between, the next sweep finishes.
 */
export async function sweepFiles(
  { db, files }: { db: Db; files: FileStore },
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - unusedMs);
  const isUnused = and(isNull(contactFiles.messageId), lt(contactFiles.createdAt, before));
  const listUnused = (after: string) =>
    db
      .select({ id: contactFiles.id, fileKey: contactFiles.fileKey })
      .from(contactFiles)
      .where(and(isUnused, gt(contactFiles.id, after)))
      .orderBy(asc(contactFiles.id))
      .limit(atOnce);
  await runEach(inPages(listUnused), async ({ id, fileKey }) => {
    await files.delete(fileKey);
    await db.delete(contactFiles).where(eq(contactFiles.id, id));
  });
}
