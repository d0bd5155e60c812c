import { randomBytes } from "node:crypto";
import { retention } from "#core/retention.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { randomFileKey } from "../platform/files/file-key.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { Site } from "../platform/mail/layout.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { getSubject } from "./get-subject.ts";
import { exportReadyMail } from "./mails.ts";
import { dataExports } from "./schema.ts";
import { sealFile } from "./seal-file.ts";
import { writeArchive } from "./write-archive.ts";

/**
 * Makes the copy that a customer asked for, and tells him by mail. Whatever dies when, running it again finishes it:
 * the row knows the file before the file is there, and the mail is queued with the row that says ready.
 */
export async function makeExport(
  { db, files, config }: { db: Db; files: FileStore; config: Site },
  exportId: string,
  now: Date,
): Promise<void> {
  const begun = await begin(db, exportId);
  if (!begun) return;
  const { customerId, fileKey, secret } = begun;
  const person = await getSubject(db, customerId);
  const archive = await db.transaction(
    (tx) => writeArchive(tx, person, { siteName: config.siteName, now }),
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  await files.put(fileKey, sealFile(archive, secret, exportId), "application/octet-stream");
  const expiresAt = new Date(now.getTime() + retention.dataExportDays * 86_400_000);
  await db.transaction(async (tx) => {
    const made = await tx
      .update(dataExports)
      .set({ state: "ready", byteSize: archive.length, readyAt: now, expiresAt })
      .where(and(eq(dataExports.id, exportId), eq(dataExports.state, "asked")))
      .returning({ id: dataExports.id });
    if (made.length === 0) return;
    const content = exportReadyMail(config, { firstName: person.firstName, expiresAt });
    const key = `data-export:${exportId}`;
    await queueMail(tx, { to: person.email, userId: customerId, now, content, key });
  });
}

/** Gives the file its place and its key, once. Null when there is nothing to make any more. */
async function begin(db: Db, exportId: string) {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select()
      .from(dataExports)
      .where(and(eq(dataExports.id, exportId), eq(dataExports.state, "asked")))
      .for("update");
    if (!found) return null;
    const { customerId, fileKey, secret } = found;
    if (fileKey && secret) return { customerId, fileKey, secret };
    const place = { fileKey: randomFileKey("exports"), secret: randomBytes(32) };
    await tx.update(dataExports).set(place).where(eq(dataExports.id, exportId));
    return { customerId, ...place };
  });
}
