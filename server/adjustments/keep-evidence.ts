import { randomUUIDv7 } from "node:crypto";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { cleanUpload } from "../platform/files/clean-upload.ts";
import { displayName } from "../platform/files/display-name.ts";
import { randomFileKey } from "../platform/files/file-key.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { ReceivedFile } from "../platform/files/read-upload.ts";
import type { VirusScan } from "../platform/files/virus-scan.ts";
import { countAttempt, type Limit } from "../platform/rate-limit.ts";
import { adjustmentEvidence } from "./schema.ts";

export interface DraftEvidence {
  evidenceId: string;
  name: string;
}

const uploads: Limit = { purpose: "adjustments/upload", max: 60, windowMinutes: 60 };

/**
 * Keeps what a member of staff brings as evidence, cleaned, as a draft that one proposal of his own may use within a
 * day. The row is there before the file and says when the file is whole.
 *
 * Refuses with files/storage-full, files/storage-away, platform/too-many-attempts and what `cleanUpload` refuses.
 */
export async function keepEvidence(
  { db, files, scanForViruses }: { db: Db; files: FileStore; scanForViruses: VirusScan },
  operatorId: string,
  file: ReceivedFile,
  now: Date,
): Promise<DraftEvidence> {
  await countAttempt(db, uploads, operatorId, now);
  const cleaned = await cleanUpload(file, scanForViruses);
  const id = randomUUIDv7();
  const fileKey = randomFileKey("evidence");
  const originalName = displayName(file.name, cleaned.mediaType, "evidence");
  await db.insert(adjustmentEvidence).values({
    id,
    operatorId,
    fileKey,
    originalName,
    mediaType: cleaned.mediaType,
    byteSize: cleaned.bytes.length,
    originalSha256: Buffer.from(cleaned.originalSha256, "hex"),
    sha256: Buffer.from(cleaned.sha256, "hex"),
    createdAt: now,
  });
  const isThis = eq(adjustmentEvidence.id, id);
  try {
    await files.put(fileKey, cleaned.bytes, cleaned.mediaType);
  } catch (error) {
    // A store whose answer was lost may have it: the sweep deletes both.
    await db.update(adjustmentEvidence).set({ discardedAt: now }).where(isThis);
    throw error;
  }
  await db.update(adjustmentEvidence).set({ storedAt: now }).where(isThis);
  return { evidenceId: id, name: originalName };
}
