import { randomBytes } from "node:crypto";

/** The keys that wrap the keys of files. The database never sees them. */
export interface KeyRing {
  /** The name of the key that new files are sealed under. */
  currentId: string;
  keys: ReadonlyMap<string, Uint8Array>;
}

const line = /^([A-Za-z0-9_-]{1,40}):([A-Za-z0-9_-]{43})$/;

/** Reads `name:key` items, parted by commas or lines, the current key first; null where one of them is none. */
export function parseKeyRing(text: string): KeyRing | null {
  const items = text.split(/[\s,]+/).filter((item) => item !== "");
  const keys = new Map<string, Uint8Array>();
  for (const item of items) {
    const [, id, key] = line.exec(item) ?? [];
    if (!id || !key || keys.has(id)) return null;
    keys.set(id, Buffer.from(key, "base64url"));
  }
  const [currentId] = keys.keys();
  return currentId === undefined ? null : { currentId, keys };
}

/** A new key of 256 bits as `parseKeyRing` reads it: its name, a colon, base64url. */
export function newKey(): string {
  return `k${randomBytes(4).toString("hex")}:${randomBytes(32).toString("base64url")}`;
}
