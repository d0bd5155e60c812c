import { utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * A field as it is hashed: length in bytes, colon, text, comma, so that no text can pretend to be two. A missing value is the comma
 * alone. PostgreSQL's `field_to_hash` does the same.
 */
export function asNetstring(value: string | null): string {
  return value === null ? "," : `${utf8ToBytes(value).length}:${value},`;
}
