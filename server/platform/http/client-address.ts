/**
 * The address of the client. Each trusted proxy appends the address that it saw, so with n of them the
 * n-th entry of X-Forwarded-For from the right is the client; what stands further left anybody can write.
 */
export function clientAddress(seen: {
  socketAddress: string;
  forwardedFor: string | undefined;
  trustedProxies: number;
}): string {
  const socketAddress = seen.socketAddress.replace(/^::ffff:/, "");
  if (seen.trustedProxies === 0 || !seen.forwardedFor) return socketAddress;
  const hops = seen.forwardedFor.split(",").map((hop) => hop.trim());
  return hops.at(-seen.trustedProxies) || socketAddress;
}
