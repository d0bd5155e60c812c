import { and, asc, eq, gt, inArray, isNotNull, isNull, lt } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { inPages, runEach } from "../../platform/jobs/run-each.ts";
import { depositSlips } from "../schema.ts";

/** Slips without a deposit are given up after this long. */
const draftLifeMs = 24 * 3600 * 1000;

/** Slips given up in one statement: short locks, and a long list is worked off in several. */
const batch = 100;

/**
 * Deletes slips that no deposit uses a day after they came, and those that were given up, with their
 * files. First it is written down that nobody may use a slip any more, then its file goes, then its row:
 * whatever dies in between, the next sweep finishes it.
 */
export async function sweepSlips(
  { db, files }: { db: Db; files: FileStore },
  now: Date,
): Promise<{ deleted: number }> {
  let deleted = 0;
  while ((await giveUpExpired(db, now)) === batch);
  const listGone = (after: string) =>
    db
      .select({ id: depositSlips.id, fileKey: depositSlips.fileKey })
      .from(depositSlips)
      .where(and(isNotNull(depositSlips.discardedAt), gt(depositSlips.id, after)))
      .orderBy(asc(depositSlips.id))
      .limit(batch);
  await runEach(inPages(listGone), async ({ id, fileKey }) => {
    await files.delete(fileKey);
    await db.delete(depositSlips).where(eq(depositSlips.id, id));
    deleted += 1;
  });
  return { deleted };
}

/** A slip that is being submitted at this moment is locked, and left alone. */
async function giveUpExpired(db: Db, now: Date): Promise<number> {
  const expired = db
    .select({ id: depositSlips.id })
    .from(depositSlips)
    .where(
      and(
        isNull(depositSlips.submittedAt),
        isNull(depositSlips.discardedAt),
        lt(depositSlips.createdAt, new Date(now.getTime() - draftLifeMs)),
      ),
    )
    .limit(batch)
    .for("update", { skipLocked: true });
  const { rowCount } = await db
    .update(depositSlips)
    .set({ discardedAt: now })
    .where(inArray(depositSlips.id, expired));
  return rowCount ?? 0;
}
