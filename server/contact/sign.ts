import { createHmac, timingSafeEqual } from "node:crypto";

/** A signature that only this product makes, for one purpose and no other. */
export function sign(secret: string, purpose: string, text: string): string {
  return createHmac("sha256", secret).update(`contact/${purpose}\0${text}`).digest("base64url");
}

/** Whether a text was signed by us for this purpose. */
export function isSigned(
  secret: string,
  purpose: string,
  text: string,
  signature: string,
): boolean {
  const [expected, given] = [sign(secret, purpose, text), signature].map((each) =>
    Buffer.from(each ?? ""),
  );
  return expected?.length === given?.length && timingSafeEqual(expected as Buffer, given as Buffer);
}
