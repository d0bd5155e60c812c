import { getMultipartBoundary } from "@remix-run/multipart-parser";
import type { BodyRoom } from "./body-room.ts";

export interface BodyLimit {
  maxBytes: number;
  /** From the first piece that is asked for to the last. */
  withinMs: number;
  /** Fail the body where they reject. */
  unless?: Array<Promise<never>>;
}

export class BodyTooLarge extends Error {}
export class BodyTooSlow extends Error {}

/**
 * The same body, read only as somebody asks for it, which fails with `BodyTooLarge` or `BodyTooSlow` at its limit. What is left
 * then is not read: the server lets it run out for a moment, so that a browser still sending can read its answer.
 */
export function limitBody(
  body: ReadableStream<Uint8Array>,
  { maxBytes, withinMs, unless = [] }: BodyLimit,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let late: Promise<never> | undefined;
  const startClock = () =>
    new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new BodyTooSlow("the body came too slowly")), withinMs);
      timer.unref();
    });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        late ??= startClock();
        // It may fail while nobody asks for the next piece.
        late.catch(() => {});
        const { done, value } = await Promise.race([reader.read(), late, ...unless]);
        bytes += value?.length ?? 0;
        if (done || bytes > maxBytes) clearTimeout(timer);
        if (bytes > maxBytes) throw new BodyTooLarge("the body is too large");
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => clearTimeout(timer),
    },
    { highWaterMark: 0 },
  );
}

/** What is read past a limit and thrown away: a browser reads the refusal only once it has sent its form. */
const thrownAwayBytes = 1024 * 1024;

/** @throws BodyTooLarge, BodyTooSlow, BodyCrowdedOut */
export async function readBody(
  body: ReadableStream<Uint8Array>,
  { maxBytes, withinMs, room }: { maxBytes: number; withinMs: number; room: BodyRoom },
): Promise<Uint8Array<ArrayBuffer>> {
  const place = room.enter();
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  const limit = { maxBytes: maxBytes + thrownAwayBytes, withinMs, unless: [place.crowdedOut] };
  try {
    for await (const piece of limitBody(body, limit)) {
      bytes += piece.length;
      if (bytes <= maxBytes) {
        pieces.push(piece);
        place.hold(piece.length);
      } else {
        pieces = [];
        place.leave();
      }
    }
  } finally {
    place.leave();
  }
  if (bytes > maxBytes) throw new BodyTooLarge("the body is too large");
  return Buffer.concat(pieces);
}

/**
 * Whether a body comes in parts. It is enough that the word is in its type: of several types with commas between them the one that
 * reads the form takes the last.
 */
export function isMultipart(contentType: string): boolean {
  return /multipart\//i.test(contentType);
}

/** Whether a multipart type is one that all who read it understand alike: a form, with a boundary and nothing else. */
export function isPlainMultipart(contentType: string): boolean {
  return /^multipart\/form-data\s*;\s*boundary=(?:"[^"\\]+"|[^\s;,"\\]+)$/i.test(contentType);
}

/** How many fields a form has, at most, before anything takes it apart. */
export function countFields(body: Uint8Array, contentType: string): number {
  const separator = isMultipart(contentType) ? `--${getMultipartBoundary(contentType)}` : "&";
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let fields = 1;
  for (let at = bytes.indexOf(separator); at >= 0; fields += 1) {
    at = bytes.indexOf(separator, at + separator.length);
  }
  return fields;
}
