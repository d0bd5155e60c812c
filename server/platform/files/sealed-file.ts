import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { KeyRing } from "./key-ring.ts";

/** A file that only who holds the key ring can read. */
export interface SealedFile extends WrappedKey {
  /** 12 bytes of nonce, what was encrypted, 16 bytes of tag. */
  bytes: Uint8Array;
}

/** The key of one file, encrypted under a key of the ring: 60 bytes. */
export interface WrappedKey {
  keyId: string;
  wrappedKey: Uint8Array;
}

/** What is kept is not what was sealed, or was sealed for something else. */
export class FileTampered extends Error {
  override name = "FileTampered";
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a file with a random key of its own (AES-256-GCM), and that key under the ring's current one. `binding`
 * says what the file is and whose: it opens under the same words only, so that files cannot be exchanged.
 */
export function sealFile(ring: KeyRing, plain: Uint8Array, binding: string): SealedFile {
  const fileKey = randomBytes(32);
  return { bytes: encrypt(fileKey, plain, ofFile(binding)), ...wrap(ring, fileKey, binding) };
}

/**
 * The file as it was before it was sealed.
 *
 * @throws FileTampered when a bit of it, of its key or of the binding is another, or the key's key is missing.
 */
export function openSealedFile(ring: KeyRing, sealed: SealedFile, binding: string): Uint8Array {
  return decrypt(unwrap(ring, sealed, binding), sealed.bytes, ofFile(binding));
}

/**
 * The same key under the ring's current one; null when it is wrapped by that already.
 *
 * @throws FileTampered
 */
export function rewrapKey(ring: KeyRing, wrapped: WrappedKey, binding: string): WrappedKey | null {
  if (wrapped.keyId === ring.currentId) return null;
  return wrap(ring, unwrap(ring, wrapped, binding), binding);
}

function wrap(ring: KeyRing, fileKey: Uint8Array, binding: string): WrappedKey {
  const keyId = ring.currentId;
  return { keyId, wrappedKey: encrypt(keyOf(ring, keyId), fileKey, ofKey(keyId, binding)) };
}

function unwrap(ring: KeyRing, { keyId, wrappedKey }: WrappedKey, binding: string): Uint8Array {
  return decrypt(keyOf(ring, keyId), wrappedKey, ofKey(keyId, binding));
}

function keyOf(ring: KeyRing, id: string): Uint8Array {
  const key = ring.keys.get(id);
  if (!key) throw new FileTampered(`the key ring has no key ${id}`);
  return key;
}

/** Words of one use are worth nothing in another. */
const ofFile = (binding: string) => `assay file 1\n${binding}`;
const ofKey = (keyId: string, binding: string) => `assay key 1\n${keyId}\n${binding}`;

function encrypt(key: Uint8Array, plain: Uint8Array, bound: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, sealed: Uint8Array, bound: string): Uint8Array {
  if (sealed.length < nonceBytes + tagBytes) throw new FileTampered("too short to be sealed");
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const body = sealed.subarray(nonceBytes, -tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch (error) {
    throw new FileTampered("not what was sealed, or not for this", { cause: error });
  }
}
