import { randomUUIDv7 } from "node:crypto";
import { and, desc, eq, inArray, isNull } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { type CleanFile, cleanUpload } from "../../platform/files/clean-upload.ts";
import { displayName } from "../../platform/files/display-name.ts";
import { randomFileKey } from "../../platform/files/file-key.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { ReceivedFile } from "../../platform/files/read-upload.ts";
import type { VirusScan } from "../../platform/files/virus-scan.ts";
import { countAttempt, type Limit } from "../../platform/rate-limit.ts";
import { depositSlips } from "../schema.ts";

export interface DraftSlip {
  slipId: string;
  name: string;
  mediaType: "image/jpeg" | "application/pdf";
  byteSize: number;
}

/** Uploads of one customer. Nobody has that many slips; somebody may want to fill our disk. */
const uploads: Limit = { purpose: "deposits/upload", max: 60, windowMinutes: 60 };

/** Slips a customer may have uploaded without a deposit; beyond it the oldest is given up. */
const draftsKept = 10;

/**
 * Keeps a payment slip that a customer uploaded, cleaned, as a draft that one deposit of his may use
 * within a day. The row is there before the file and says when the file is whole, so that whatever dies in
 * between leaves nothing that the sweep does not know.
 *
 * Refuses with files/storage-full, files/storage-away, platform/too-many-attempts and what `cleanUpload` refuses.
 */
export async function keepSlip(
  { db, files, scanForViruses }: { db: Db; files: FileStore; scanForViruses: VirusScan },
  customerId: string,
  file: ReceivedFile,
  now: Date,
): Promise<DraftSlip> {
  await countAttempt(db, uploads, customerId, now);
  const cleaned = await cleanUpload(file, scanForViruses);
  const slip = rowOf(customerId, file.name, cleaned, now);
  await db.insert(depositSlips).values(slip);
  try {
    await files.put(slip.fileKey, cleaned.bytes, cleaned.mediaType);
  } catch (error) {
    // A store whose answer was lost may have it: the sweep deletes both.
    await db.update(depositSlips).set({ discardedAt: now }).where(eq(depositSlips.id, slip.id));
    throw error;
  }
  await db.update(depositSlips).set({ storedAt: now }).where(eq(depositSlips.id, slip.id));
  await giveUpOldDrafts(db, customerId, now);
  const { id: slipId, originalName: name, mediaType, byteSize } = slip;
  return { slipId, name, mediaType, byteSize };
}

function rowOf(customerId: string, name: string, cleaned: CleanFile, now: Date) {
  return {
    id: randomUUIDv7(),
    customerId,
    fileKey: randomFileKey("slips"),
    originalName: displayName(name, cleaned.mediaType, "slip"),
    mediaType: cleaned.mediaType,
    byteSize: cleaned.bytes.length,
    originalSha256: Buffer.from(cleaned.originalSha256, "hex"),
    sha256: Buffer.from(cleaned.sha256, "hex"),
    createdAt: now,
  };
}

async function giveUpOldDrafts(db: Db, customerId: string, now: Date): Promise<void> {
  const drafts = and(
    eq(depositSlips.customerId, customerId),
    isNull(depositSlips.submittedAt),
    isNull(depositSlips.discardedAt),
  );
  const old = db
    .select({ id: depositSlips.id })
    .from(depositSlips)
    .where(drafts)
    .orderBy(desc(depositSlips.createdAt), desc(depositSlips.id))
    .offset(draftsKept);
  await db
    .update(depositSlips)
    .set({ discardedAt: now })
    .where(and(drafts, inArray(depositSlips.id, old)));
}
