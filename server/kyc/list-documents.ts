import { and, eq, sql } from "#server/platform/sql.ts";
import { auditLog } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { kycDocuments, kycSubmissionDocuments } from "./schema.ts";

const d = kycDocuments;

/** The documents of a submission in the order in which they are looked at. */
export function listSubmittedDocuments(db: Db | Tx, submissionId: string) {
  const order = sql`array_position(array['identity-front', 'identity-back', 'selfie', 'proof-of-address'], ${d.purpose})`;
  return db
    .select({
      id: d.id,
      purpose: d.purpose,
      name: d.originalName,
      mediaType: d.mediaType,
      byteSize: d.byteSize,
      erasedAt: d.erasingAt,
    })
    .from(kycSubmissionDocuments)
    .innerJoin(d, eq(d.id, kycSubmissionDocuments.documentId))
    .where(eq(kycSubmissionDocuments.submissionId, submissionId))
    .orderBy(order);
}

export type SubmittedDocument = Awaited<ReturnType<typeof listSubmittedDocuments>>[number];

/** Which documents of a submission an operator has looked at, as the audit log has it. */
export async function listViewedDocuments(
  db: Db | Tx,
  operatorId: string,
  submissionId: string,
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ documentId: sql<string>`${auditLog.detail} ->> 'document'` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.operatorId, operatorId),
        eq(auditLog.act, "kyc/view-document"),
        eq(auditLog.subject, `kyc:${submissionId}`),
      ),
    );
  return rows.map(({ documentId }) => documentId);
}
