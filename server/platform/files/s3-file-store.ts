import { S3mini } from "s3mini";
import { askOutside } from "../ask-outside.ts";
import type { Config } from "../config.ts";
import { type FileStore, StorageFull } from "./file-store.ts";

/** Longest that one file may take to come or go. */
const withinMs = 60_000;
/** More than any file that we put there, sealed as it is. */
const maxBytes = 32 * 1024 * 1024;

/** Keeps files in a bucket of an S3-compatible store; the bucket's name ends the endpoint's path. */
export function openS3FileStore(s3: NonNullable<Config["s3"]>): FileStore {
  const client = new S3mini({ ...s3, fetch: fetchBounded });
  return {
    put: (key, bytes, mediaType) => put(client, key, bytes, mediaType),
    get: (key) => get(client, key),
    delete: async (key) => void (await client.deleteObject(key)),
  };
}

/** What the library asks with: an answer that is read already, no further than its limits. */
async function fetchBounded(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { method = "GET", body } = init;
  const { bytes, ...answer } = await askOutside(String(input), {
    method,
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(body && { body }),
    withinMs,
    maxBytes,
  });
  const headers = new Headers(answer.headers);
  // What was packed has been unpacked.
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  const isEmpty = bytes.length === 0 || method === "HEAD";
  return new Response(isEmpty ? null : new Uint8Array(bytes), { status: answer.status, headers });
}

async function put(client: S3mini, key: string, bytes: Uint8Array, mediaType: string) {
  try {
    await client.putObject(key, Buffer.from(bytes), mediaType);
  } catch (error) {
    throw isFull(error) ? new StorageFull("no room left for files", { cause: error }) : error;
  }
}

async function get(client: S3mini, key: string): Promise<Uint8Array | null> {
  const bytes = await client.getObjectArrayBuffer(key);
  return bytes && new Uint8Array(bytes);
}

/** Stores say it differently: with WebDAV's 507, or with a code that names the quota. */
function isFull(error: unknown): boolean {
  const { status, code } = error as { status?: number; code?: string };
  return status === 507 || /quota|storagefull|nospace/i.test(code ?? "");
}
