import { createHash } from "node:crypto";
import { isUuid } from "#core/is-uuid.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import type { ShownFile } from "../../platform/files/file-response.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { depositSlips, deposits } from "../schema.ts";

/**
 * The slip of a deposit, for its owner (`customerId`) or for staff (`"staff"`). Null when there is no such deposit, it is somebody else's,
 * or the picture was erased after its customer had left. A file that is gone or changed is an error, never a wrong picture.
 */
export async function readSlip(
  { db, files }: { db: Db; files: FileStore },
  depositId: string,
  reader: { customerId: string } | "staff",
): Promise<ShownFile | null> {
  if (!isUuid(depositId)) return null;
  const own = reader === "staff" ? undefined : eq(deposits.customerId, reader.customerId);
  const [slip] = await db
    .select({
      fileKey: depositSlips.fileKey,
      mediaType: depositSlips.mediaType,
      name: depositSlips.originalName,
      sha256: depositSlips.sha256,
    })
    .from(deposits)
    .innerJoin(depositSlips, eq(depositSlips.id, deposits.slipId))
    .where(and(eq(deposits.id, depositId), own, isNull(depositSlips.erasedAt)));
  if (!slip) return null;
  const bytes = await files.get(slip.fileKey);
  if (!bytes) throw new Error(`the slip of deposit ${depositId} is gone from the store`);
  if (Buffer.compare(createHash("sha256").update(bytes).digest(), slip.sha256) !== 0) {
    throw new Error(`the slip of deposit ${depositId} is not what was kept`);
  }
  return { bytes, mediaType: slip.mediaType, name: slip.name };
}
