import type { Refusal } from "#core/refusal.ts";
import { mfaError } from "#server/identity/mfa/mfa-error.ts";
import type { Said } from "./run-act.ts";

/** What a page about the second factor or the password says of a refusal; of a limit, when to come back. */
export function sayFactor(now: Date): (refusal: Refusal) => Said {
  return (refusal) => {
    const { words: text, ...answer } = mfaError(refusal, now);
    return { ...answer, text };
  };
}
