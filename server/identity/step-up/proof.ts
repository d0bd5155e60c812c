import { securityTerms } from "#core/people/security-terms.ts";

/** How a user authenticates. All but the password are MFA. */
export type Proof = "password" | "totp" | "recovery-code" | "passkey";

/** Whether the user authenticated recently enough for a sensitive act. */
export function isFresh(provedAt: Date, now: Date): boolean {
  return now.getTime() - provedAt.getTime() <= securityTerms.freshMfaMinutes * 60_000;
}
