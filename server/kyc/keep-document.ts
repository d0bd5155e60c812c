import { randomUUIDv7 } from "node:crypto";
import type { DocumentPurpose } from "#core/people/kyc.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import type { Config } from "../platform/config.ts";
import type { Db, Tx } from "../platform/database.ts";
import { cleanUpload } from "../platform/files/clean-upload.ts";
import { displayName } from "../platform/files/display-name.ts";
import { randomFileKey } from "../platform/files/file-key.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { ReceivedFile } from "../platform/files/read-upload.ts";
import { sealFile } from "../platform/files/sealed-file.ts";
import type { VirusScan } from "../platform/files/virus-scan.ts";
import { countAttempt, type Limit } from "../platform/rate-limit.ts";
import type { Browser } from "./browser.ts";
import { documentBinding } from "./document.ts";
import { lockDraft } from "./lock-draft.ts";
import { replaceDocuments } from "./replace-documents.ts";
import { requireOpen } from "./require-open.ts";
import { kycDocuments } from "./schema.ts";

/** Uploads of one customer. Nobody has that many documents; somebody may want to fill our disk. */
const uploads: Limit = { purpose: "kyc/upload", max: 40, windowMinutes: 60 };

interface Upload extends Browser {
  customerId: string;
  purpose: DocumentPurpose;
  file: ReceivedFile;
}

/**
 * Keeps a document that a customer uploaded: cleaned, sealed, in place of an earlier one for the same purpose. The row is
 * there before the file and says when the file is whole, so that whatever dies in between leaves nothing that the sweep
 * does not know.
 *
 * Refuses with kyc/not-open, files/storage-full, files/storage-away, platform/too-many-attempts and what `cleanUpload` refuses.
 */
export async function keepDocument(
  {
    db,
    files,
    scanForViruses,
    config,
  }: {
    db: Db;
    files: FileStore;
    scanForViruses: VirusScan;
    config: Pick<Config, "documentKeys">;
  },
  upload: Upload,
  now: Date,
): Promise<{ documentId: string }> {
  const { customerId, purpose, file } = upload;
  await countAttempt(db, uploads, customerId, now);
  await db.transaction((tx) => requireOpen(tx, customerId, purpose, now));
  const { bytes, mediaType } = await cleanUpload(file, scanForViruses);
  const id = randomUUIDv7();
  const sealed = sealFile(config.documentKeys, bytes, documentBinding({ id, customerId, purpose }));
  const fileKey = randomFileKey("documents");
  await db.insert(kycDocuments).values({
    id,
    customerId,
    purpose,
    fileKey,
    mediaType,
    byteSize: bytes.length,
    originalName: displayName(file.name, mediaType, "document"),
    keyId: sealed.keyId,
    wrappedKey: sealed.wrappedKey,
    createdAt: now,
  });
  try {
    await files.put(fileKey, sealed.bytes, "application/octet-stream");
    await db.transaction((tx) => putInPlace(tx, id, upload, now));
  } catch (error) {
    await giveUp(db, id, now);
    throw error;
  }
  return { documentId: id };
}

async function putInPlace(tx: Tx, id: string, upload: Upload, now: Date): Promise<void> {
  const { customerId, purpose, ipAddress, userAgent } = upload;
  await lockDraft(tx, customerId, now);
  // It may have been submitted in another window since.
  await requireOpen(tx, customerId, purpose, now);
  await replaceDocuments(tx, customerId, [purpose], now);
  await tx.update(kycDocuments).set({ storedAt: now }).where(eq(kycDocuments.id, id));
  await recordAccountEvent(tx, {
    userId: customerId,
    event: "document-uploaded",
    by: "self",
    detail: { purpose },
    ipAddress,
    userAgent,
    now,
  });
}

/** Without its key a file is noise; the sweep deletes it. */
async function giveUp(db: Db, id: string, now: Date): Promise<void> {
  await db
    .update(kycDocuments)
    .set({ erasingAt: now, keyId: null, wrappedKey: null, originalName: "" })
    .where(and(eq(kycDocuments.id, id), isNull(kycDocuments.erasingAt)));
}
