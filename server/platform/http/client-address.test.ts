import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

test.each([
  ["no proxy is trusted", "192.0.2.1", "198.51.100.7", 0, "192.0.2.1"],
  ["an IPv4 address arrives in IPv6 form", "::ffff:192.0.2.1", undefined, 0, "192.0.2.1"],
  ["one proxy is trusted", "192.0.2.1", "203.0.113.9, 198.51.100.7", 1, "198.51.100.7"],
  ["a proxy writes IPv4 in IPv6 form", "::1", "::FFFF:198.51.100.7", 1, "198.51.100.7"],
  ["two proxies are trusted", "192.0.2.1", "203.0.113.9, 198.51.100.7", 2, "203.0.113.9"],
  ["fewer hops than proxies", "192.0.2.1", "198.51.100.7", 3, "192.0.2.1"],
  ["the proxy sent nothing", "192.0.2.1", undefined, 1, "192.0.2.1"],
])("finds the client when %s", (_when, socketAddress, forwardedFor, trustedProxies, expected) => {
  expect(clientAddress({ socketAddress, forwardedFor, trustedProxies })).toBe(expected);
});
