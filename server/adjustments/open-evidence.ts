import { createHash } from "node:crypto";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { ShownFile } from "../platform/files/file-response.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { adjustmentEvidence } from "./schema.ts";

/**
 * The file of a piece of evidence, for whoever has written down before that it is seen. One that is gone or changed is
 * an error, never a wrong picture.
 */
export async function openEvidence(
  { db, files }: { db: Db; files: FileStore },
  evidenceId: string,
): Promise<ShownFile> {
  const [evidence] = await db
    .select()
    .from(adjustmentEvidence)
    .where(eq(adjustmentEvidence.id, evidenceId));
  const bytes = evidence ? await files.get(evidence.fileKey) : null;
  if (!evidence || !bytes) throw new Error(`the evidence ${evidenceId} is gone from the store`);
  if (Buffer.compare(createHash("sha256").update(bytes).digest(), evidence.sha256) !== 0) {
    throw new Error(`the evidence ${evidenceId} is not what was kept`);
  }
  return { bytes, mediaType: evidence.mediaType, name: evidence.originalName };
}
