import { createHash } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { isUuid } from "./deposit.ts";
import { depositSlips, deposits } from "./schema.ts";

export interface Slip {
  bytes: Uint8Array;
  mediaType: "image/jpeg" | "application/pdf";
  name: string;
}

/**
 * The slip of a deposit, for its owner (`customerId`) or for staff (`"staff"`). Null when there is no such
 * deposit, it is somebody else's, or the picture was erased after its customer had left. A file that is gone or changed is an error, never a wrong picture.
 */
export async function readSlip(
  { db, files }: { db: Db; files: FileStore },
  depositId: string,
  reader: { customerId: string } | "staff",
): Promise<Slip | null> {
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

/**
 * A slip as an answer that a browser shows or saves but never runs. Pictures are shown in place; a PDF is
 * saved, because viewers of PDFs run what stands in them.
 */
export function slipResponse({ bytes, mediaType, name }: Slip): Response {
  const disposition = mediaType === "image/jpeg" ? "inline" : "attachment";
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const utf8 = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": mediaType,
      "content-length": String(bytes.length),
      "content-disposition": `${disposition}; filename="${ascii}"; filename*=UTF-8''${utf8}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, no-store",
    },
  });
}
