import { createCookie } from "react-router";
import type { NoticeTone } from "./notice.tsx";

/**
 * What may be said after a redirect. The cookie holds only the key, so that nobody can put words of his own
 * into a person's page by planting a cookie.
 */
const messages = {
  "signed-in": { tone: "success", text: "Login successful" },
  "signed-out": { tone: "success", text: "Successfully signed out" },
  "sign-out-failed": {
    tone: "error",
    text: "Error signing out: the session could not be ended. Please try again.",
  },
  registered: { tone: "success", text: "registration successful" },
  "verification-sent": { tone: "info", text: "email verification sent" },
  "email-verified": { tone: "success", text: "Your e-mail address is verified" },
  "reset-link-sent": { tone: "success", text: "Password reset link sent to your email" },
  "password-changed": { tone: "success", text: "Your password has been changed. Please sign in" },
  "deposit-saved": { tone: "success", text: "Successfully saved" },
  "deposit-approved": { tone: "success", text: "The deposit is approved and credited" },
  "deposit-rejected": { tone: "success", text: "The deposit is rejected and the customer is told" },
  "message-saved": { tone: "success", text: "The dashboard message is saved" },
  "mail-queued-again": { tone: "success", text: "The mail will be sent again" },
} as const satisfies Record<string, { tone: NoticeTone; text: string }>;

export type FlashKey = keyof typeof messages;
export interface Flash {
  text: string;
  tone: NoticeTone;
}

const cookie = createCookie("flash", { path: "/", sameSite: "lax", httpOnly: true, maxAge: 60 });

/** The Set-Cookie value that makes the next page say it: `redirect("/login", { headers: { "Set-Cookie": await flash("signed-out") } })`. */
export function flash(...keys: FlashKey[]): Promise<string> {
  return cookie.serialize(keys);
}

/** What the page before asked this one to say, and the Set-Cookie value that forgets it. For the root's loader. */
export async function takeFlash(
  request: Request,
): Promise<{ flashes: Flash[]; forget: string | null }> {
  const keys: unknown = await cookie.parse(request.headers.get("cookie")).catch(() => null);
  if (!Array.isArray(keys)) return { flashes: [], forget: null };
  const known = keys.filter(
    (key): key is FlashKey => typeof key === "string" && Object.hasOwn(messages, key),
  );
  const forget = await cookie.serialize("", { maxAge: 0 });
  return { flashes: known.map((key) => messages[key]), forget };
}
