/**
 * The address of the client. Each trusted proxy appends the address that it saw, so with n of them the
 * n-th entry of X-Forwarded-For from the right is the client; what stands further left anybody can write.
 */
export function clientAddress(seen: {
  socketAddress: string;
  forwardedFor: string | undefined;
  trustedProxies: number;
}): string {
  const socketAddress = plain(seen.socketAddress);
  if (seen.trustedProxies === 0 || !seen.forwardedFor) return socketAddress;
  const hops = seen.forwardedFor.split(",").map((hop) => plain(hop.trim()));
  return hops.at(-seen.trustedProxies) || socketAddress;
}

/** A socket that listens for both families writes IPv4 addresses as IPv6: all of them would be one place. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
