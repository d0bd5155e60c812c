import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "../platform/config.ts";

/** A signature that only this product makes, for one purpose and no other. */
export function sign(secret: string, purpose: string, text: string): string {
  return createHmac("sha256", secret).update(`contact/${purpose}\0${text}`).digest("base64url");
}

/** What signs, and what has signed before: its signatures are still taken. */
export type Secrets = Pick<Config, "authSecret"> & Partial<Pick<Config, "authSecretBefore">>;

/** Whether a text was signed by us for this purpose. */
export function isSigned(
  { authSecret, authSecretBefore }: Secrets,
  purpose: string,
  text: string,
  signature: string,
): boolean {
  const given = Buffer.from(signature);
  return [authSecret, authSecretBefore].some((secret) => {
    if (!secret) return false;
    const expected = Buffer.from(sign(secret, purpose, text));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}
