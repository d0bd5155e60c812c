/** By what a person shows who he is. All but the password are second factors. */
export type Proof = "password" | "totp" | "recovery-code" | "passkey";
