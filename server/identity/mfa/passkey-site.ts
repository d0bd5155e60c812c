import { isIP } from "node:net";
import type { Site } from "../../platform/mail/layout.ts";

/** EdDSA, ES256 and RS256, by their COSE numbers: what every authenticator knows one of. */
export const passkeyAlgorithms = [-8, -7, -257];

/** Whom passkeys are bound to: the host name that people see. Null where none can be, at a bare IP address. */
export function passkeySite(site: Site): { rpID: string; rpName: string; origin: string } | null {
  const { hostname, origin, protocol } = new URL(site.appUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) || (protocol !== "https:" && host !== "localhost")) return null;
  return { rpID: host, rpName: site.siteName, origin };
}
