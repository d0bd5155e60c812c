import { getMultipartBoundary } from "@remix-run/multipart-parser";
import type { BodyRoom } from "./body-room.ts";

export interface BodyLimit {
  maxBytes: number;
  /** From the first piece that is asked for to the last. */
  withinMs: number;
}

export class BodyTooLarge extends Error {}
export class BodyTooSlow extends Error {}

/**
 * The same body, read only as somebody asks for it, which fails with `BodyTooLarge` or `BodyTooSlow` at its limit. What is left
 * then is not read: the server lets it run out for a moment, so that a browser still sending can read its answer.
 */
export function limitBody(
  body: ReadableStream<Uint8Array>,
  limit: BodyLimit,
): ReadableStream<Uint8Array> {
  const reader = openReader(body, limit);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await reader.read();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      cancel: () => reader.end(),
    },
    { highWaterMark: 0 },
  );
}

interface BodyReader {
  /** The next piece; null: there is none. */
  read(): Promise<Uint8Array | null>;
  /** Fails what is waited for, and all that is asked for after it. */
  fail(error: Error): void;
  end(): void;
}

/** Reads a body piece by piece. Nothing is kept of a piece that was read: there may be as many as it has bytes. */
function openReader(
  body: ReadableStream<Uint8Array>,
  { maxBytes, withinMs }: BodyLimit,
): BodyReader {
  const reader = body.getReader();
  let bytes = 0;
  let failure: Error | null = null;
  let failRead = (_: Error) => {};
  let timer: NodeJS.Timeout | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    failRead(failure);
  };
  const next = () =>
    new Promise<ReadableStreamReadResult<Uint8Array>>((resolve, reject) => {
      failRead = reject;
      reader.read().then(resolve, reject);
    });
  const end = () => clearTimeout(timer);
  return {
    async read() {
      if (failure) throw failure;
      timer ??= setTimeout(() => fail(new BodyTooSlow("the body came too slowly")), withinMs);
      timer.unref();
      const { done, value } = await next().catch((error) => {
        end();
        throw error;
      });
      if (failure) throw failure;
      bytes += value?.length ?? 0;
      if (done || bytes > maxBytes) end();
      if (bytes > maxBytes) throw new BodyTooLarge("the body is too large");
      return done ? null : value;
    },
    fail,
    end,
  };
}

/** What is read past a limit and thrown away: a browser reads the refusal only once it has sent its form. */
const thrownAwayBytes = 1024 * 1024;

/** @throws BodyTooLarge, BodyTooSlow, BodyCrowdedOut */
export async function readBody(
  body: ReadableStream<Uint8Array>,
  { maxBytes, withinMs, room }: BodyLimit & { room: BodyRoom },
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = openReader(body, { maxBytes: maxBytes + thrownAwayBytes, withinMs });
  const place = room.enter(reader.fail);
  let kept = new Uint8Array(0);
  let bytes = 0;
  try {
    for (let piece = await reader.read(); piece; piece = await reader.read()) {
      const end = bytes + piece.length;
      if (end > maxBytes) {
        place.leave();
        kept = new Uint8Array(0);
      } else {
        if (end > kept.length) {
          const larger = Math.min(maxBytes, Math.max(end, 2 * kept.length));
          place.hold(larger - kept.length);
          kept = withRoomFor(kept, larger);
        }
        kept.set(piece, bytes);
      }
      bytes = end;
    }
  } finally {
    place.leave();
    reader.end();
  }
  if (bytes > maxBytes) throw new BodyTooLarge("the body is too large");
  return kept.subarray(0, bytes);
}

function withRoomFor(kept: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(kept);
  return larger;
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
