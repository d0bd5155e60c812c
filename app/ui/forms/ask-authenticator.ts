import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";

export type PasskeyPurpose = "sign-in" | "prove" | "register";

/**
 * Asks the browser for a passkey, or for a new one, with a question that a page holds already or that the server is asked for.
 * What it answers goes to the server as text.
 *
 * @throws what `passkeyFault` has words for.
 */
export async function askAuthenticator(
  purpose: PasskeyPurpose,
  question?: PublicKeyCredentialRequestOptionsJSON,
): Promise<string> {
  const { startAuthentication, startRegistration } = await import("@simplewebauthn/browser");
  if (question) return JSON.stringify(await startAuthentication({ optionsJSON: question }));
  const answer = await fetch("/passkey/question", {
    method: "POST",
    body: new URLSearchParams({ purpose }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const optionsJSON = await answer.json();
  const given = await (purpose === "register"
    ? startRegistration({ optionsJSON })
    : startAuthentication({ optionsJSON }));
  return JSON.stringify(given);
}

export function passkeyFault(error: unknown): string {
  if (!(error instanceof Error)) return "The passkey could not be used. Please try again.";
  if (error.name === "InvalidStateError")
    return "This device has a passkey for your account already.";
  if (error.name === "NotAllowedError") {
    return "Nothing was done: you closed the browser's question, or it timed out.";
  }
  return error.name === "Error" && error.message
    ? error.message
    : "The passkey could not be used. Please try again.";
}
