import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Auth } from "./auth.ts";

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a secret of one person (AES-256-GCM) with a key derived from AUTH_SECRET, which the database does not
 * hold. Bound to the person: a row copied to somebody else cannot be read.
 */
export function sealSecret(auth: Auth, userId: string, secret: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", keyOf(auth), iv).setAAD(Buffer.from(userId));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Throws when AUTH_SECRET is not the one that sealed it, or the row is another person's. */
export function openSecret(auth: Auth, userId: string, sealed: Uint8Array): Buffer {
  const iv = sealed.subarray(0, ivBytes);
  const decipher = createDecipheriv("aes-256-gcm", keyOf(auth), iv)
    .setAAD(Buffer.from(userId))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
}

function keyOf(auth: Auth): Buffer {
  return Buffer.from(hkdfSync("sha256", auth.secret, "", "assay totp secrets", 32));
}
