import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Where a feed may be read from. */
export interface FeedRules {
  /** Lets http://127.0.0.1 pass: for tests and trying out, never on mainnet. */
  allowLoopback: boolean;
}

/**
 * Looks at a feed's address before anything is sent there: https, no credentials, and where a number stands
 * in the place of a name, a public one. Names are looked at when they are resolved.
 */
export function checkFeedAddress(
  url: URL,
  { allowLoopback }: FeedRules,
): "address-not-allowed" | "not-https" | null {
  if (allowLoopback && url.protocol === "http:" && url.hostname === "127.0.0.1") return null;
  if (url.protocol !== "https:") return "not-https";
  if (url.username !== "" || url.password !== "") return "address-not-allowed";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isAllowed = isIP(host) === 0 ? !isLocalName(host) : isPublicAddress(host);
  return isAllowed ? null : "address-not-allowed";
}

function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, "");
  return !name.includes(".") || /\.(?:localhost|local|internal|home\.arpa|test)$/.test(name);
}
