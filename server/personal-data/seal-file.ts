import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const ivLength = 12;
const tagLength = 16;

/** Encrypts a file with AES-256-GCM, bound to its id. The key is 32 bytes and for this file alone. */
export function sealFile(bytes: Uint8Array, secret: Uint8Array, id: string): Uint8Array {
  const iv = randomBytes(ivLength);
  const sealing = createCipheriv(cipher, secret, iv).setAAD(Buffer.from(id));
  const sealed = Buffer.concat([sealing.update(bytes), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), sealed]);
}

/** The file behind `sealFile`. Throws when the bytes, the key or the id are not the same. */
export function openFile(sealed: Uint8Array, secret: Uint8Array, id: string): Uint8Array {
  const opening = createDecipheriv(cipher, secret, sealed.subarray(0, ivLength))
    .setAAD(Buffer.from(id))
    .setAuthTag(sealed.subarray(ivLength, ivLength + tagLength));
  return Buffer.concat([opening.update(sealed.subarray(ivLength + tagLength)), opening.final()]);
}
