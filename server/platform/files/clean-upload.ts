import { createHash } from "node:crypto";
import { fileTypeFromBuffer } from "file-type";
import { Refusal } from "#core/refusal.ts";
import { checkPdfAside } from "./check-pdf-aside.ts";
import { cleanImage } from "./clean-image.ts";
import { decodeHeic } from "./decode-heic.ts";
import { hasTwoEndings, isTwoThingsAtOnce } from "./double-extension.ts";
import { openQueue } from "./open-queue.ts";
import type { ReceivedFile } from "./read-upload.ts";
import type { VirusScan } from "./virus-scan.ts";

/** A document that is safe to keep and to show. */
export interface CleanFile {
  mediaType: "image/jpeg" | "application/pdf";
  bytes: Uint8Array;
  /** SHA-256 of what was sent, in hexadecimal: the same file sent again has the same. */
  originalSha256: string;
  /** SHA-256 of what is kept. */
  sha256: string;
}

/**
 * Turns what somebody uploaded into a picture or a PDF that is safe to keep. Its content decides what it is,
 * not its name. Pictures (JPEG, PNG, WebP, HEIC) are drawn anew, so that neither metadata nor anything
 * hidden survives; a PDF is kept as it is when nothing in it acts.
 *
 * Refuses with files/empty, files/unknown-type, files/misleading-name, files/two-things-at-once,
 * files/damaged, files/too-many-pixels, files/active-content, files/encrypted, files/too-large-inside, and as
 * `scanForViruses` does, which is given the file as it came.
 */
export async function cleanUpload(
  file: ReceivedFile,
  scanForViruses: VirusScan,
): Promise<CleanFile> {
  if (file.bytes.length === 0) throw new Refusal("files/empty");
  const mediaType = await detect(file.bytes);
  if (hasTwoEndings(file.name)) throw new Refusal("files/misleading-name");
  if (isTwoThingsAtOnce(file.bytes, mediaType)) throw new Refusal("files/two-things-at-once");
  await scanForViruses(file.bytes);
  const cleaned = await clean(file.bytes, mediaType);
  return { ...cleaned, originalSha256: sha256(file.bytes), sha256: sha256(cleaned.bytes) };
}

const accepted = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/heic",
  "image/heif",
  "application/pdf",
] as const;
type Accepted = (typeof accepted)[number];

/** The beginning is enough to tell, and a hostile file has less to play with. */
async function detect(bytes: Uint8Array): Promise<Accepted> {
  const found = await fileTypeFromBuffer(bytes.subarray(0, 4100));
  const mediaType = accepted.find((type) => type === found?.mime);
  if (!mediaType) throw new Refusal("files/unknown-type");
  return mediaType;
}

/** Queues of their own, so that a HEIC photo, which takes seconds, holds up only others of its kind. */
const checkInTurn = openQueue();
const drawInTurn = openQueue();
const decodeInTurn = openQueue();

async function clean(bytes: Uint8Array, mediaType: Accepted) {
  if (mediaType === "application/pdf") {
    await checkInTurn(() => checkPdfAside(bytes));
    return { mediaType, bytes };
  }
  const heic = mediaType === "image/heic" || mediaType === "image/heif";
  const drawn = heic
    ? await decodeInTurn(async () => cleanImage(await decodeHeic(bytes)))
    : await drawInTurn(() => cleanImage(bytes));
  return { mediaType: "image/jpeg" as const, bytes: drawn };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
