import { retention } from "#core/retention.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { inPages, runEach } from "../../platform/jobs/run-each.ts";
import { depositSlips } from "../schema.ts";
import { listSlipsOfTheErased } from "./list-slips-of-the-erased.ts";

const batch = 100;

/**
 * Erases the slips of customers who left, once no dispute about them can be raised any more: the file and
 * its name. Its hash stays, so that the same slip is known when it comes again. The file goes first:
 * whatever dies in between, the next run finishes it.
 */
export async function eraseSlips(
  { db, files }: { db: Db; files: FileStore },
  now: Date,
): Promise<{ erased: number }> {
  const before = new Date(now.getTime() - retention.closedAccountSlipDays * 86_400_000);
  let erased = 0;
  const due = inPages((after) => listSlipsOfTheErased(db, { before, after, limit: batch }));
  await runEach(due, async ({ id, fileKey }) => {
    await files.delete(fileKey);
    await db
      .update(depositSlips)
      .set({ erasedAt: now, originalName: "" })
      .where(eq(depositSlips.id, id));
    erased += 1;
  });
  return { erased };
}
