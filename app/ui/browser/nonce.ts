import { createContext, useContext } from "react";

export const NonceContext = createContext<string | undefined>(undefined);

/**
 * The nonce of the page's Content-Security-Policy. The server passes it by context; the browser reads it
 * back from the first script, so that styles made later pass the policy too.
 */
export function useNonce(): string | undefined {
  const fromServer = useContext(NonceContext);
  if (fromServer !== undefined || typeof document === "undefined") return fromServer;
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
}
