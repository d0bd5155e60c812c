import { Refusal } from "#core/refusal.ts";
import { comeBackLater } from "../../platform/rate-limit.ts";

/** Said to who has shown the password or a passkey of a frozen account. */
export const frozenText =
  "This account is frozen: nobody can sign in, and nothing can be changed or paid out. To open it again, write to us on the contact page; the mail that we sent says why.";

const words: Record<string, string> = {
  "identity/wrong-code":
    "This code is not right, or it was used already. Please take the newest one from the app; each works once.",
  "identity/passkey-refused":
    "This passkey was not accepted. Please try another one, or sign in with your password.",
  "identity/no-passkeys-here": "Passkeys cannot be used at this address.",
  "identity/set-up-again": "This was set up meanwhile. Please load the page again.",
  "identity/account-frozen": frozenText,
  "identity/wrong-password": "This is not your password. Please try again.",
  "identity/last-factor-of-staff":
    "Staff always need a second factor. Add another one before you remove this.",
};

/** What a page about the second factor says to a refusal. What is none is thrown on. */
export function mfaError(
  error: unknown,
  now: Date,
): { words: string; status: number; headers?: Record<string, string> } {
  const later = comeBackLater(error, now);
  if (later) return later;
  if (!(error instanceof Refusal)) throw error;
  return { words: words[error.code] ?? "This was refused. Please try again.", status: 400 };
}
