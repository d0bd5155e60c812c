/** Why money stays for a day. */
export type HoldReason =
  | "password-changed"
  | "email-changed"
  | "second-factor-changed"
  | "account-unfrozen";
