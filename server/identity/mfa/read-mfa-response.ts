import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { Refusal } from "#core/refusal.ts";
import type { MfaResponse } from "./verify-mfa.ts";

/**
 * What a form brings as the second factor: what an authenticator answered, or a code as typed.
 *
 * @throws Refusal `identity/wrong-code`, `identity/passkey-refused`
 */
export function readMfaResponse(form: FormData): MfaResponse {
  if (form.has("passkey")) return { response: readPasskey(form) };
  const code = form.get("code");
  if (typeof code !== "string" || code.trim() === "" || code.length > 100) {
    throw new Refusal("identity/wrong-code");
  }
  return { code: code.trim() };
}

/** @throws Refusal `identity/passkey-refused` when it is not the shape of one. */
export function readPasskey(form: FormData): AuthenticationResponseJSON {
  try {
    const said = JSON.parse(String(form.get("passkey")));
    const { id, rawId, response } = said;
    const texts = [
      id,
      rawId,
      response.clientDataJSON,
      response.authenticatorData,
      response.signature,
    ];
    if (texts.every((text) => typeof text === "string")) return said;
  } catch {
    // Not what an authenticator says.
  }
  throw new Refusal("identity/passkey-refused");
}

/**
 * What a browser answers that has made a passkey, and the name that its owner gives it.
 *
 * @throws Refusal `identity/passkey-refused`
 */
export function readNewPasskey(form: FormData): {
  name: string;
  response: RegistrationResponseJSON;
} {
  const name = String(form.get("name") ?? "")
    .replace(/\p{Cc}/gu, "")
    .trim()
    .slice(0, 60);
  try {
    const said = JSON.parse(String(form.get("passkey")));
    const { id, rawId, response } = said;
    const texts = [id, rawId, response.clientDataJSON, response.attestationObject];
    if (texts.every((text) => typeof text === "string")) {
      return { name: name || "Passkey", response: said };
    }
  } catch {
    // Not what an authenticator says.
  }
  throw new Refusal("identity/passkey-refused");
}
