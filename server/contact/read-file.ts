import { createHash } from "node:crypto";
import { isUuid } from "#core/is-uuid.ts";
import { and, eq, type SQL } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import type { ShownFile } from "../platform/files/file-response.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { contactFiles, contactMessages, contactThreads } from "./schema.ts";

interface Context {
  db: Db;
  files: FileStore;
}

interface Wanted {
  threadId: string;
  fileId: string;
}

/** A file of a customer's own message; null when there is none, or it is another's. */
export async function readOwnFile(
  { db, files }: Context,
  wanted: Wanted & { customerId: string },
): Promise<ShownFile | null> {
  const file = await find(db, wanted, eq(contactThreads.customerId, wanted.customerId));
  return file && read(files, file);
}

/**
 * Shows a member of staff a file that came with a message, and writes down that it was seen before a byte of it is given
 * out. Null when there is none.
 */
export async function viewMessageFile(
  { db, files }: Context,
  operator: ActingOperator,
  wanted: Wanted,
  now: Date,
): Promise<ShownFile | null> {
  const file = await find(db, wanted);
  if (!file) return null;
  const seen = {
    act: "contact/view-file" as const,
    subject: `message:${wanted.threadId}`,
    customerId: file.customerId,
    detail: { file: wanted.fileId },
    now,
  };
  await actAsOperator(db, operator, seen, async () => {});
  return read(files, file);
}

type Found = NonNullable<Awaited<ReturnType<typeof find>>>;

async function find(db: Db, { threadId, fileId }: Wanted, isOwn?: SQL) {
  if (!isUuid(threadId) || !isUuid(fileId)) return null;
  const [file] = await db
    .select({
      fileId: contactFiles.id,
      customerId: contactFiles.customerId,
      fileKey: contactFiles.fileKey,
      mediaType: contactFiles.mediaType,
      name: contactFiles.originalName,
      sha256: contactFiles.sha256,
    })
    .from(contactFiles)
    .innerJoin(contactMessages, eq(contactMessages.id, contactFiles.messageId))
    .innerJoin(contactThreads, eq(contactThreads.id, contactMessages.threadId))
    .where(and(eq(contactFiles.id, fileId), eq(contactThreads.id, threadId), isOwn));
  return file ?? null;
}

/** A file that is gone or changed is an error, never another picture. */
async function read(files: FileStore, file: Found): Promise<ShownFile> {
  const bytes = await files.get(file.fileKey);
  if (!bytes) throw new Error(`the file ${file.fileId} of a message is gone from the store`);
  if (Buffer.compare(createHash("sha256").update(bytes).digest(), file.sha256) !== 0) {
    throw new Error(`the file ${file.fileId} of a message is not what was kept`);
  }
  return { bytes, mediaType: file.mediaType, name: file.name };
}
