import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { checkFeedAddress } from "./feed-address.ts";
import { isPublicAddress, publicLookup, type Resolve } from "./public-address.ts";

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "198.18.0.1",
  "203.0.113.9",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "fe80::1",
  "fc00::1",
  "fd12:3456::1",
  "ff02::1",
  "2001:db8::1",
  "2001::1",
  "2002:7f00:1::",
  "not an address",
  "",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ["https://news.example.com/feed", null],
  ["http://news.example.com/feed", "not-https"],
  ["ftp://news.example.com/feed", "not-https"],
  ["file:///etc/passwd", "not-https"],
  ["http://127.0.0.1:8080/feed", "not-https"],
  ["https://127.0.0.1/feed", "address-not-allowed"],
  ["https://2130706433/feed", "address-not-allowed"],
  ["https://0x7f.1/feed", "address-not-allowed"],
  ["https://[::1]/feed", "address-not-allowed"],
  ["https://[::ffff:7f00:1]/feed", "address-not-allowed"],
  ["https://169.254.169.254/latest/meta-data", "address-not-allowed"],
  ["https://localhost/feed", "address-not-allowed"],
  ["https://db/feed", "address-not-allowed"],
  ["https://a.localhost/feed", "address-not-allowed"],
  ["https://printer.local/feed", "address-not-allowed"],
  ["https://metadata.google.internal/feed", "address-not-allowed"],
  ["https://user:secret@news.example.com/feed", "address-not-allowed"],
] as const)("%s: %s", (url, fault) => {
  expect(checkFeedAddress(new URL(url), { allowLoopback: false })).toBe(fault);
});

test("the allowance is for 127.0.0.1 by number and without TLS, nothing else", () => {
  const rules = { allowLoopback: true };
  expect(checkFeedAddress(new URL("http://127.0.0.1:1/feed"), rules)).toBeNull();
  for (const url of ["http://localhost:1/feed", "http://127.0.0.2/feed", "http://10.0.0.1/feed"]) {
    expect(checkFeedAddress(new URL(url), rules)).toBe("not-https");
  }
});

/** A name server that answers differently each time. */
function resolver(...answers: string[][]): Resolve & { asked: number } {
  const resolve = (_name: string, _options: unknown, done: Parameters<Resolve>[2]) => {
    const addresses = answers[resolve.asked] ?? [];
    resolve.asked += 1;
    done(
      null,
      addresses.map(
        (address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }),
      ),
    );
  };
  resolve.asked = 0;
  return resolve;
}

const ask = (resolve: Resolve, all: boolean) =>
  new Promise((answer) =>
    publicLookup(resolve)("news.example.com", { all }, (error, address, family) =>
      answer(error ? error.code : { address, family }),
    ),
  );

test("a name that leads to a private network is refused, also when only one of its addresses does", async () => {
  for (const addresses of [
    ["127.0.0.1"],
    ["1.1.1.1", "10.0.0.1"],
    ["::1"],
    ["fe80::1", "1.1.1.1"],
  ]) {
    expect(await ask(resolver(addresses), true)).toBe("ADDRESS_NOT_ALLOWED");
    expect(await ask(resolver(addresses), false)).toBe("ADDRESS_NOT_ALLOWED");
  }
});

test("a connection goes to the very addresses that were looked at: a second answer is never asked for", async () => {
  const rebinding = resolver(["1.1.1.1"], ["127.0.0.1"]);
  expect(await ask(rebinding, true)).toEqual({ address: [{ address: "1.1.1.1", family: 4 }] });
  expect(rebinding.asked).toBe(1);
  expect(await ask(rebinding, false)).toBe("ADDRESS_NOT_ALLOWED");
});

test("a name without an address is unknown", async () => {
  expect(await ask(resolver([]), true)).toBe("ENOTFOUND");
});
