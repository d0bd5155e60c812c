import { isUuid } from "#core/is-uuid.ts";
import { isSigned, type Secrets, sign } from "./sign.ts";

/** What a mailed answer carries so that its reader can answer back into the same thread. It shows nothing of the thread. */
export function threadToken(secret: string, threadId: string): string {
  return `${threadId}.${sign(secret, "thread", threadId)}`;
}

/** The thread that a token of ours opens, or null. */
export function threadIdIn(secrets: Secrets, token: string | null): string | null {
  const [threadId = "", signature = ""] = (token ?? "").split(".");
  if (!isUuid(threadId)) return null;
  return isSigned(secrets, "thread", threadId, signature) ? threadId : null;
}
