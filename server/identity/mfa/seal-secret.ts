import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Auth } from "../sessions/auth.ts";

const ivBytes = 12;
const tagBytes = 16;

/** An encrypted secret and the name of its key. Before keys had names there was none. */
export interface SealedSecret {
  sealedSecret: Uint8Array;
  keyName: string | null;
}

/**
 * Encrypts a secret of one person (AES-256-GCM) with a key derived from AUTH_SECRET, which the database does not
 * hold. Bound to the person: a row copied to somebody else cannot be read.
 */
export function sealSecret({ secret: of }: Auth, userId: string, secret: Uint8Array): SealedSecret {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", keyFrom(of), iv).setAAD(Buffer.from(userId));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return {
    sealedSecret: Buffer.concat([iv, cipher.getAuthTag(), sealed]),
    keyName: currentKeyName({ secret: of }),
  };
}

/**
 * Throws when neither AUTH_SECRET nor the one before it has sealed it, or the row is another person's.
 */
export function openSecret(auth: Auth, userId: string, sealed: SealedSecret): Buffer {
  const { sealedSecret, keyName } = sealed;
  const known = [auth.secret, auth.secretBefore].filter((secret) => secret !== null);
  const named = keyName === null ? known : known.filter((secret) => nameOf(secret) === keyName);
  for (const [index, secret] of named.entries()) {
    try {
      return openWith(secret, userId, sealedSecret);
    } catch (error) {
      if (index === named.length - 1) throw error;
    }
  }
  throw new Error(`a secret is sealed with the key ${keyName}, which AUTH_SECRET does not give`);
}

/** The name of the key that secrets are sealed with from now on. It tells nothing of the key. */
export function currentKeyName({ secret }: Pick<Auth, "secret">): string {
  return nameOf(secret);
}

function openWith(secret: string, userId: string, sealed: Uint8Array): Buffer {
  const iv = sealed.subarray(0, ivBytes);
  const decipher = createDecipheriv("aes-256-gcm", keyFrom(secret), iv)
    .setAAD(Buffer.from(userId))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
}

function keyFrom(secret: string): Buffer {
  return derive(secret, "assay totp secrets", 32);
}

function nameOf(secret: string): string {
  return derive(secret, "assay totp key name", 4).toString("hex");
}

function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, bytes));
}
