import {
  isMultipartRequest,
  MaxFileSizeExceededError,
  MaxTotalSizeExceededError,
  MultipartParseError,
  type MultipartPart,
  parseMultipartRequest,
} from "@remix-run/multipart-parser";
import { Refusal } from "#core/refusal.ts";
import { BodyTooLarge, BodyTooSlow } from "../http/limit-body.ts";
import { openUploadSlots } from "./upload-slots.ts";

export interface ReceivedFile {
  /** As the sender called it. Never a path, never trusted. */
  name: string;
  bytes: Uint8Array;
}

export interface ReceivedForm {
  /** The text fields, those that came before a refused file included. */
  fields: FormData;
  file: ReceivedFile | null;
  /** All of them, where a form may bring several. */
  files: ReceivedFile[];
  /**
   * Why no file was taken: `files/too-large`, `files/more-than-one`, `files/too-many`, `files/unreadable-form`,
   * `files/too-slow`, `files/too-many-at-once`.
   */
  refusal: Refusal | null;
}

/** What the text fields of a form may weigh together. */
const maxTextBytes = 64 * 1024;

const maxParts = 30;

/** Of one process. A file of 10 MB lies in memory from its first byte until it is kept or refused. */
const holdSlot = openUploadSlots({
  inAll: 20,
  ofOneAccount: 2,
  // Who waits costs a connection and nothing else.
  waiting: 500,
  waitingOfOneAccount: 10,
  waitMs: 20_000,
});

interface Upload {
  field: string;
  /** Of all files together. */
  maxBytes: number;
  /** One unless said otherwise. */
  maxFiles?: number;
}

/**
 * Reads a form with one file or a few as a stream, stops in the middle when they pass their limit, and hands what was received
 * to `use`: what comes after is neither waited for nor kept. `account` is whose upload it is: each has two under way at most.
 * Where there is no room for another file, the fields before it are read alone.
 */
export async function readUpload<T>(
  request: Request,
  upload: Upload & { account: string },
  use: (received: ReceivedForm) => Promise<T>,
): Promise<T> {
  if (!isMultipartRequest(request)) return use(await receivePlain(request));
  return holdSlot(upload.account, async (isHeld) =>
    use(isHeld ? await receive(request, upload) : await receiveFields(request, upload)),
  );
}

/**
 * Reads any form whole, its files too, so that a page can carry it through a question. Of an upload that is too large, or too
 * slow, or that there is no room for, it gives what came before.
 */
export async function readWholeForm(
  request: Request,
  upload: { account: string; maxBytes: number },
): Promise<FormData> {
  if (!isMultipartRequest(request)) return request.formData();
  return holdSlot(upload.account, async (isHeld) => {
    const form = new FormData();
    await readParts(request, isHeld ? upload.maxBytes : maxTextBytes, (part) => {
      if (!part.name) return;
      if (part.isText) form.append(part.name, part.text);
      else if (isHeld) form.append(part.name, asFile(part));
    });
    return form;
  });
}

function asFile({ bytes, filename = "", mediaType = "" }: MultipartPart): File {
  return new File([bytes as Uint8Array<ArrayBuffer>], filename, { type: mediaType });
}

async function receivePlain(request: Request): Promise<ReceivedForm> {
  try {
    return { fields: await request.formData(), file: null, files: [], refusal: null };
  } catch (error) {
    return { fields: new FormData(), file: null, files: [], refusal: asRefusal(error) };
  }
}

async function receive(request: Request, upload: Upload): Promise<ReceivedForm> {
  const received: ReceivedForm = { fields: new FormData(), file: null, files: [], refusal: null };
  const refusal = await readParts(request, upload.maxBytes, (part) => take(part, upload, received));
  if (refusal) return { ...received, files: [], refusal };
  return { ...received, file: received.files[0] ?? null };
}

/** Without its file. A form whose file was left empty needs no room. */
async function receiveFields(request: Request, upload: Upload): Promise<ReceivedForm> {
  const received = await receive(request, { ...upload, maxBytes: maxTextBytes });
  const { fields, file, refusal } = received;
  if (!file && refusal?.code !== "files/too-large") return received;
  return { fields, file: null, files: [], refusal: new Refusal("files/too-many-at-once") };
}

/** Why it was not read to its end, or null. */
async function readParts(
  request: Request,
  maxFileSize: number,
  take: (part: MultipartPart) => void,
): Promise<Refusal | null> {
  const limits = { maxFileSize, maxTotalSize: maxFileSize + maxTextBytes, maxParts };
  try {
    for await (const part of parseMultipartRequest(request, limits)) take(part);
    return null;
  } catch (error) {
    return asRefusal(error);
  }
}

/** Browsers send an empty, nameless file for an input that was left empty: that is no file. */
function take(part: MultipartPart, upload: Upload, received: ReceivedForm): void {
  if (!part.name) return;
  if (part.isText) {
    if (part.size <= maxTextBytes) received.fields.append(part.name, part.text);
  } else if (part.name === upload.field && (part.size > 0 || part.filename)) {
    takeFile(part, upload, received);
  }
}

/** Of more files than may come none is taken: no one could say which were meant. */
function takeFile(part: MultipartPart, { maxFiles = 1 }: Upload, received: ReceivedForm): void {
  if (received.files.length === maxFiles || received.refusal) {
    received.files = [];
    received.refusal = new Refusal(maxFiles === 1 ? "files/more-than-one" : "files/too-many");
  } else received.files.push({ name: part.filename ?? "", bytes: part.bytes });
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof BodyTooSlow) return new Refusal("files/too-slow");
  const tooLarge =
    error instanceof MaxFileSizeExceededError ||
    error instanceof MaxTotalSizeExceededError ||
    error instanceof BodyTooLarge;
  if (tooLarge) return new Refusal("files/too-large");
  if (error instanceof MultipartParseError || error instanceof TypeError) {
    return new Refusal("files/unreadable-form");
  }
  throw error;
}
