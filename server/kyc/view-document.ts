import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { Config } from "../platform/config.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { ShownFile } from "../platform/files/file-response.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { FileTampered, openSealedFile } from "../platform/files/sealed-file.ts";
import type { Log } from "../platform/log/log.ts";
import { documentBinding } from "./document.ts";
import { listSubmittedDocuments } from "./list-documents.ts";
import { getOwner, type Reviewer } from "./review.ts";
import { kycDocuments } from "./schema.ts";

interface Context {
  db: Db;
  files: FileStore;
  config: Pick<Config, "documentKeys">;
  log: Log;
}

/**
 * Shows a member of staff one document of a submission. That it was looked at is committed to the audit log together with
 * reading its key, before a byte of it is fetched.
 *
 * Refuses with kyc/not-found, kyc/document-erased, what `actAsOperator` refuses, and
 * kyc/document-unreadable when the file is gone, changed, or another one: that is logged.
 */
export async function viewDocument(
  { db, files, config, log }: Context,
  operator: Reviewer,
  { submissionId, documentId }: { submissionId: string; documentId: string },
  now: Date,
): Promise<ShownFile> {
  const { customerId } = await getOwner(db, submissionId);
  const documents = isUuid(documentId) ? await listSubmittedDocuments(db, submissionId) : [];
  const listed = documents.find(({ id }) => id === documentId);
  if (!listed) throw new Refusal("kyc/not-found");
  const { purpose, mediaType } = listed;
  const act = {
    act: "kyc/view-document" as const,
    subject: `kyc:${submissionId}`,
    customerId,
    detail: { document: documentId, purpose },
    now,
  };
  const sealed = await actAsOperator(db, operator, act, (tx) => getSealed(tx, documentId));
  try {
    const bytes = await files.get(sealed.fileKey);
    if (!bytes) throw new FileTampered("the file is gone from the store");
    const binding = documentBinding({ id: documentId, customerId, purpose });
    const plain = openSealedFile(config.documentKeys, { ...sealed, bytes }, binding);
    return { bytes: plain, mediaType, name: sealed.name };
  } catch (err) {
    if (!(err instanceof FileTampered)) throw err;
    log.error({ err, documentId, operatorId: operator.id }, "a document is not what was kept");
    throw new Refusal("kyc/document-unreadable");
  }
}

async function getSealed(tx: Tx, documentId: string) {
  const [document] = await tx
    .select({
      fileKey: kycDocuments.fileKey,
      name: kycDocuments.originalName,
      keyId: kycDocuments.keyId,
      wrappedKey: kycDocuments.wrappedKey,
    })
    .from(kycDocuments)
    .where(and(eq(kycDocuments.id, documentId), isNull(kycDocuments.erasingAt)));
  const { keyId, wrappedKey } = document ?? {};
  if (!document || !keyId || !wrappedKey) throw new Refusal("kyc/document-erased");
  return { fileKey: document.fileKey, name: document.name, keyId, wrappedKey };
}
