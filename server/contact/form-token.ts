import { randomBytes } from "node:crypto";
import { isSigned, type Secrets, sign } from "./sign.ts";

/** A form older than this must be looked at again; a page may stand in a cache for a while. */
const validHours = 24;

/**
 * Signs when a form was handed out. A cached page hands the same token to several people, so it makes no message one by itself:
 * token and text together do.
 */
export function issueFormToken(secret: string, now: Date): string {
  const text = `${now.getTime()}.${randomBytes(9).toString("base64url")}`;
  return `${text}.${sign(secret, "form", text)}`;
}

/** How long ago a form was handed out, in milliseconds; null when we did not, or too long ago. */
export function ageOfForm(secrets: Secrets, token: string, now: Date): number | null {
  const [issued = "", random = "", signature = ""] = token.split(".");
  if (!isSigned(secrets, "form", `${issued}.${random}`, signature)) return null;
  const ageMs = now.getTime() - Number(issued);
  return ageMs <= validHours * 3_600_000 ? ageMs : null;
}
