import type { Config } from "../../platform/config.ts";

/** What cookies and secrets of people rest on. */
export interface Auth {
  /** Signs cookies; keys for what is encrypted are derived from it. */
  secret: string;
  /** The secret before: what it signed and sealed is still taken, and nothing is signed or sealed with it. */
  secretBefore: string | null;
  /** Whether cookies are for https alone. */
  secureCookies: boolean;
  /** How far the clocks of authenticator apps are behind ours: in a rehearsal alone they are. */
  appsBehindMs?: () => number;
}

export function createAuth(
  config: Pick<Config, "authSecret" | "authSecretBefore" | "appUrl">,
): Auth {
  return {
    secret: config.authSecret,
    secretBefore: config.authSecretBefore,
    secureCookies: config.appUrl.startsWith("https:"),
  };
}
