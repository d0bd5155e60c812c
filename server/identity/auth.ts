import type { Config } from "../platform/config.ts";

/** What cookies and secrets of people rest on. */
export interface Auth {
  /** Signs cookies; keys for what is encrypted are derived from it. */
  secret: string;
  /** Whether cookies are for https alone. */
  secureCookies: boolean;
}

export function createAuth(config: Pick<Config, "authSecret" | "appUrl">): Auth {
  return { secret: config.authSecret, secureCookies: config.appUrl.startsWith("https:") };
}
