import {
  isMultipartRequest,
  MaxFileSizeExceededError,
  MaxTotalSizeExceededError,
  MultipartParseError,
  type MultipartPart,
  parseMultipartRequest,
} from "@remix-run/multipart-parser";
import { Refusal } from "#core/refusal.ts";

export interface ReceivedFile {
  /** As the sender called it. Never a path, never trusted. */
  name: string;
  bytes: Uint8Array;
}

export interface ReceivedForm {
  /** The text fields, those that came before a refused file included. */
  fields: FormData;
  file: ReceivedFile | null;
  /** Why the file was not taken: `files/too-large`, `files/more-than-one`, `files/unreadable-form`. */
  refusal: Refusal | null;
}

/** What the text fields of a form may weigh together. */
const maxTextBytes = 64 * 1024;

/**
 * Reads a form with one file as a stream, and stops in the middle of it when the file passes its limit:
 * what comes after is neither waited for nor kept.
 */
export async function readUpload(
  request: Request,
  upload: { field: string; maxBytes: number },
): Promise<ReceivedForm> {
  const received: ReceivedForm = { fields: new FormData(), file: null, refusal: null };
  const limits = {
    maxFileSize: upload.maxBytes,
    maxTotalSize: upload.maxBytes + maxTextBytes,
    maxParts: 30,
  };
  try {
    if (!isMultipartRequest(request)) received.fields = await request.formData();
    else
      for await (const part of parseMultipartRequest(request, limits)) take(part, upload, received);
  } catch (error) {
    received.file = null;
    received.refusal = asRefusal(error);
  }
  return received;
}

/** Browsers send an empty, nameless file for an input that was left empty: that is no file. */
function take(part: MultipartPart, upload: { field: string }, received: ReceivedForm): void {
  if (!part.name) return;
  if (part.isText) {
    if (part.size <= maxTextBytes) received.fields.append(part.name, part.text);
  } else if (part.name === upload.field && (part.size > 0 || part.filename)) {
    takeFile(part, received);
  }
}

/** Of several files in one field none is taken: nobody could say which was meant. */
function takeFile(part: MultipartPart, received: ReceivedForm): void {
  if (received.file || received.refusal) {
    received.file = null;
    received.refusal = new Refusal("files/more-than-one");
  } else received.file = { name: part.filename ?? "", bytes: part.bytes };
}

function asRefusal(error: unknown): Refusal {
  const tooLarge =
    error instanceof MaxFileSizeExceededError || error instanceof MaxTotalSizeExceededError;
  if (tooLarge) return new Refusal("files/too-large");
  if (error instanceof MultipartParseError || error instanceof TypeError) {
    return new Refusal("files/unreadable-form");
  }
  throw error;
}
