import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { limitConcurrency } from "../limit-concurrency.ts";

export type Compressed = "br" | "gzip";

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/** One at a time: passwords are hashed on the same few threads, and must not wait for what somebody made up. */
const limited = limitConcurrency(1, { body: { places: Number.POSITIVE_INFINITY, waitMs: 60_000 } });
let underWay = 0;

/** Whether something is being compressed: what can be sent as it is does not wait for its turn. */
export function isCompressing(): boolean {
  return underWay > 0;
}

/**
 * Compresses off the main thread. `thorough` is a tenth smaller than what is usual and takes twenty times as long: for what is
 * compressed once for many readers.
 */
export async function compressBody(
  encoding: Compressed,
  body: Buffer,
  { thorough = false } = {},
): Promise<Buffer> {
  underWay += 1;
  try {
    return await limited("body", () =>
      encoding === "br"
        ? brotliOf(body, {
            params: {
              [zlib.BROTLI_PARAM_QUALITY]: thorough ? 10 : 5,
              [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
            },
          })
        : gzipOf(body, { level: thorough ? 7 : 5 }),
    );
  } finally {
    underWay -= 1;
  }
}
