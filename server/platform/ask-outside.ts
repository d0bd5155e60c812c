/**
 * Why an answer from outside was not taken: `unreachable`, `late` (the last byte did not come in time), `stopped` (we did not wait),
 * `too-large` (counted as unpacked), `unreadable` (no JSON, or JSON deeper than any that is meant).
 */
export type OutsideFault = "unreachable" | "late" | "stopped" | "too-large" | "unreadable";

/** Something outside did not answer with what can be used. Holds nothing that it sent. */
export class OutsideFailure extends Error {
  override name = "OutsideFailure";
  readonly fault: OutsideFault;

  constructor(fault: OutsideFault, detail = "") {
    super(detail ? `${fault} (${detail})` : fault);
    this.fault = fault;
  }
}

export interface OutsideQuestion {
  method?: string;
  headers?: Record<string, string>;
  body?: NonNullable<RequestInit["body"]>;
  /** From the request to the last byte of the answer. */
  withinMs: number;
  /** Of the answer, as unpacked. */
  maxBytes: number;
  /** Ends it at once. */
  stopping?: AbortSignal | undefined;
}

export interface OutsideAnswer {
  status: number;
  ok: boolean;
  headers: Headers;
  bytes: Buffer;
}

/**
 * Asks something outside over HTTP, and reads its answer whole: all that leaves this process by `fetch` leaves it here. What is
 * configured is asked, and no address to which that would send us on.
 *
 * @throws OutsideFailure
 */
export async function askOutside(url: string, asked: OutsideQuestion): Promise<OutsideAnswer> {
  const { withinMs, maxBytes, stopping, ...request } = asked;
  const inTime = AbortSignal.timeout(withinMs);
  const signal = stopping ? AbortSignal.any([inTime, stopping]) : inTime;
  try {
    const response = await fetch(url, { ...request, signal, redirect: "error" });
    const { status, ok, headers } = response;
    return { status, ok, headers, bytes: await readBounded(response.body ?? [], maxBytes) };
  } catch (error) {
    if (error instanceof OutsideFailure) throw error;
    const { name, cause } = error as Error & { cause?: { code?: string } };
    // Who asks may have a time of its own, besides a reason to stop.
    if (name === "TimeoutError") throw new OutsideFailure("late");
    if (signal.aborted) throw new OutsideFailure("stopped");
    throw new OutsideFailure("unreachable", cause?.code);
  }
}

/**
 * The whole of a stream, read no further than the limit.
 *
 * @throws OutsideFailure `too-large`
 */
export async function readBounded(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new OutsideFailure("too-large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/**
 * JSON from outside. What is deeper than any answer of its kind is refused before it is parsed: to walk it would take the stack.
 *
 * @throws OutsideFailure `unreadable`
 */
export function parseOutsideJson(
  bytes: Buffer,
  { reviver, deepest = 64 }: { reviver?: Reviver | undefined; deepest?: number } = {},
): unknown {
  if (isDeeper(bytes, deepest)) throw new OutsideFailure("unreadable", "too deep");
  try {
    return JSON.parse(bytes.toString("utf8"), reviver);
  } catch {
    throw new OutsideFailure("unreadable", "no JSON");
  }
}

export type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

const [quote, backslash] = [0x22, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function isDeeper(bytes: Buffer, deepest: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const sign = bytes[at];
    if (sign === quote) at = endOfString(bytes, at);
    else if (sign === openList || sign === openObject) depth += 1;
    else if (sign === closeList || sign === closeObject) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Where the text that begins at a quote ends: a block of some megabytes in hex is passed over in one go. */
function endOfString(bytes: Buffer, from: number): number {
  let end = bytes.indexOf(quote, from + 1);
  while (end > 0 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1);
  return end < 0 ? bytes.length : end;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
