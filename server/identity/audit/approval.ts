import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import type { Site } from "../../platform/mail/layout.ts";
import type { Auth } from "../sessions/auth.ts";

/** A question and the form that waits for its answer, or what an authenticator answered to it. */
export interface Approval {
  site: Site;
  /** The question's mark: when it was asked, a random number, and our signature over both and the person. */
  asked: string;
  given: AuthenticationResponseJSON | null;
  /** Why it is asked once more. */
  fault: string | null;
  /** The page in the form's place that asks; it is thrown. */
  ask(question: ApprovalQuestion): Promise<unknown>;
}

export interface ApprovalQuestion {
  /** What the passkey signs: `approvalText`. */
  text: string;
  /** What the act does, in words: pages for customers share the part that shows it, and need no list of permissions for it. */
  does: string;
  options: PublicKeyCredentialRequestOptionsJSON;
  asked: string;
  fault: string | null;
}

const minutesValid = 5;

export function issueAsked(auth: Auth, userId: string, now: Date): string {
  const text = `${now.getTime()}.${randomBytes(18).toString("base64url")}`;
  return `${text}.${sign(auth.secret, userId, text)}`;
}

/** Whether this question was ours, to this person, within the last five minutes. */
export function isAsked(auth: Auth, userId: string, asked: string, now: Date): boolean {
  const [at = "", random = "", mac = ""] = asked.split(".");
  const age = now.getTime() - askedAt(asked);
  if (!(age >= 0 && age <= minutesValid * 60_000)) return false;
  const due = Buffer.from(sign(auth.secret, userId, `${at}.${random}`));
  const said = Buffer.from(mac);
  return due.length === said.length && timingSafeEqual(due, said);
}

/** When a question was asked, as its mark says; NaN where it says nothing. */
export function askedAt(asked: string): number {
  return /^\d{1,15}\./.test(asked) ? Number.parseInt(asked, 10) : Number.NaN;
}

/** An id for what an act makes: the same when the question comes back answered, since the text that was signed names it. */
export function idOf({ asked }: Approval): string {
  const bytes = createHash("sha256").update(`id\0${asked}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function sign(secret: string, userId: string, text: string): string {
  return createHmac("sha256", secret).update(`approval\0${userId}\0${text}`).digest("base64url");
}
