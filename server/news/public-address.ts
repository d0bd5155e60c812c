import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP, isIPv4 } from "node:net";

/** What no feed can stand on: private, shared, local, documentation, multicast and reserved networks (IANA). */
const notPublic = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  notPublic.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  // Tunnels to IPv4, in which any address can be written, and documentation.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  notPublic.addSubnet(network, bits, "ipv6");
}

/** Of IPv6 only this has been given out to the public; loopback, local, mapped and NAT64 addresses lie outside. */
const givenOut = new BlockList();
givenOut.addSubnet("2000::", 3, "ipv6");

/** Whether an address belongs to the open internet, not to this machine or a network behind it. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return !notPublic.check(address, "ipv4");
  return givenOut.check(address, "ipv6") && !notPublic.check(address, "ipv6");
}

/** A name led to an address that is not public. */
export const notAllowed = "ADDRESS_NOT_ALLOWED";

export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves names for a connection, and refuses those that lead anywhere but to public addresses. The
 * connection goes to the very addresses that were looked at, so that a name that answers differently the
 * next time gains nothing.
 */
export function publicLookup(resolve: Resolve = lookup) {
  return (
    hostname: string,
    options: LookupOptions,
    done: (
      error: NodeJS.ErrnoException | null,
      address: string | LookupAddress[],
      family?: number,
    ) => void,
  ): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const fault = error ?? faultOf(addresses);
      const [first] = addresses ?? [];
      if (fault || options.all) done(fault, fault ? [] : addresses);
      else done(null, first?.address ?? "", first?.family);
    });
  };
}

function faultOf(addresses: LookupAddress[]): NodeJS.ErrnoException | null {
  if (addresses.length === 0) return refusal("ENOTFOUND");
  return addresses.every(({ address }) => isPublicAddress(address)) ? null : refusal(notAllowed);
}

function refusal(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
