import { securityTerms } from "#core/people/security-terms.ts";

/** By what a person shows who he is. All but the password are second factors. */
export type Proof = "password" | "totp" | "recovery-code" | "passkey";

/** Whether somebody showed who he is so recently that a sensitive act need not ask again. */
export function isFresh(provedAt: Date, now: Date): boolean {
  return now.getTime() - provedAt.getTime() <= securityTerms.freshMfaMinutes * 60_000;
}
