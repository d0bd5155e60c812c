import { createHmac, timingSafeEqual } from "node:crypto";
import { base32nopad } from "@scure/base";
import type { Auth } from "../sessions/auth.ts";

const stepSeconds = 30;
const digits = 6;

/** The number of the 30 seconds that a moment lies in (RFC 6238). */
export function totpStep(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds);
}

/** The code of one step: HMAC-SHA-1, six digits, as every authenticator app makes it. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** What a clock of the real world, such as an authenticator app's, shows at a moment of ours. */
export function appTime({ appsBehindMs }: Pick<Auth, "appsBehindMs">, now: Date): Date {
  return new Date(now.getTime() - (appsBehindMs?.() ?? 0));
}

/** The step that a code belongs to: this one, or, for clocks that run apart, the one before or after. */
export function matchTotp(secret: Uint8Array, code: string, now: Date): number | null {
  const given = Buffer.from(code);
  const here = totpStep(now);
  for (const step of [here, here - 1, here + 1]) {
    const wanted = Buffer.from(totpCode(secret, step));
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) return step;
  }
  return null;
}

/** What the QR code says to an app. */
export function totpUri(secret: Uint8Array, names: { siteName: string; email: string }): string {
  const issuer = encodeURIComponent(names.siteName);
  const label = `${issuer}:${encodeURIComponent(names.email)}`;
  return `otpauth://totp/${label}?secret=${base32nopad.encode(secret)}&issuer=${issuer}`;
}
