/** Why money stays for a day. */
export type HoldReason = "password-changed" | "email-changed" | "mfa-changed" | "account-unfrozen";
