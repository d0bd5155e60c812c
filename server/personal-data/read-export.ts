import { isUuid } from "#core/is-uuid.ts";
import { and, eq, gt } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { dataExports } from "./schema.ts";
import { openFile } from "./seal-file.ts";

/**
 * A copy that is ready, for its owner; null when there is none by this id, it is somebody else's, or its time is
 * over. The history says that it was taken away.
 */
export async function readExport(
  { db, files }: { db: Db; files: FileStore },
  wanted: { exportId: string; customerId: string; browser: Browser; now: Date },
): Promise<{ bytes: Uint8Array; readyAt: Date } | null> {
  const { exportId, customerId, browser, now } = wanted;
  if (!isUuid(exportId)) return null;
  const [found] = await db
    .select()
    .from(dataExports)
    .where(
      and(
        eq(dataExports.id, exportId),
        eq(dataExports.customerId, customerId),
        eq(dataExports.state, "ready"),
        gt(dataExports.expiresAt, now),
      ),
    );
  if (!found?.fileKey || !found.secret || !found.readyAt) return null;
  const sealed = await files.get(found.fileKey);
  if (!sealed) throw new Error(`the file of export ${exportId} is gone from the store`);
  const bytes = openFile(sealed, found.secret, exportId);
  await recordAccountEvent(db, {
    userId: customerId,
    event: "data-export-downloaded",
    by: "self",
    ...browser,
    now,
  });
  return { bytes, readyAt: found.readyAt };
}
