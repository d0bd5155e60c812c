import { randomUUIDv7 } from "node:crypto";
import { messageFiles } from "#core/contact.ts";
import { Refusal } from "#core/refusal.ts";
import type { Db } from "../platform/database.ts";
import { type CleanFile, cleanUpload } from "../platform/files/clean-upload.ts";
import { displayName } from "../platform/files/display-name.ts";
import { randomFileKey } from "../platform/files/file-key.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { ReceivedFile } from "../platform/files/read-upload.ts";
import type { VirusScan } from "../platform/files/virus-scan.ts";
import { countAttempt } from "../platform/rate-limit.ts";
import { limits } from "./limits.ts";
import { contactFiles } from "./schema.ts";

/**
 * Keeps what a customer sends along with a message, checked and cleaned as payment slips are. The rows are there before the
 * files: what dies in between is of no message, and the sweep deletes it.
 *
 * Refuses with files/too-many, files/storage-full, files/storage-away, platform/too-many-attempts and what `cleanUpload` refuses.
 */
export async function keepFiles(
  { db, files, scanForViruses }: { db: Db; files: FileStore; scanForViruses: VirusScan },
  customerId: string,
  received: ReceivedFile[],
  now: Date,
): Promise<string[]> {
  if (received.length > messageFiles.most) throw new Refusal("files/too-many");
  const cleaned: Array<{ name: string; file: CleanFile }> = [];
  for (const each of received) {
    await countAttempt(db, limits.filesByCustomer, customerId, now);
    cleaned.push({ name: each.name, file: await cleanUpload(each, scanForViruses) });
  }
  const kept: string[] = [];
  for (const { name, file } of cleaned) {
    const row = rowOf(customerId, name, file, now);
    await db.insert(contactFiles).values(row);
    kept.push(row.id);
    await files.put(row.fileKey, file.bytes, file.mediaType);
  }
  return kept;
}

function rowOf(
  customerId: string,
  name: string,
  { bytes, mediaType, sha256 }: CleanFile,
  now: Date,
) {
  return {
    id: randomUUIDv7(),
    customerId,
    fileKey: randomFileKey("messages"),
    originalName: displayName(name, mediaType, "file"),
    mediaType,
    byteSize: bytes.length,
    sha256: Buffer.from(sha256, "hex"),
    createdAt: now,
  };
}
