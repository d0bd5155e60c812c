import fc from "fast-check";
import { expect, test } from "vitest";
import { amountFault, dueDay } from "./withdrawal.ts";
import { explainAddress, readAddress } from "./withdrawal-address.ts";

// Of BIP 173, BIP 350 and BIP 86, and the first address that was ever paid.
const good = [
  "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
  "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
];

test.each(good)("%s can be paid, however it was copied", (address) => {
  expect(explainAddress(address, "mainnet")).toBeNull();
  expect(explainAddress(` bitcoin:${address}?amount=1 \n`, "mainnet")).toBeNull();
  expect(readAddress(`bitcoin:${address}?label=x`).toLowerCase()).toBe(address.toLowerCase());
});

test.each([
  ["", /Enter a Bitcoin address/],
  ["0xdAC17F958D2ee523a2206206994597C13D831ec7", /contract of USDT/],
  ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", /Ethereum address/],
  ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", /another network/],
  ["bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", /not in use on Bitcoin yet/],
  ["bc1pfeessrawgf", /no Bitcoin address/],
  ["lnbc20m1pvjluezpp5qqqsyq", /Lightning/],
  ["ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", /Litecoin/],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", /Tron/],
  [
    "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8",
    /public key/,
  ],
  ["5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", /private key/],
  ["1A1zP1eP5QGefi2 DMPTfTL5SLmv7DivfNa", /no spaces/],
])("%s is explained", (typed, words) => {
  expect(explainAddress(typed, "mainnet")).toMatch(words);
});

test("one wrong letter anywhere is always found", () => {
  const letters = [..."qpzry9x8gf2tvdw0s3jn54khce6mua7l"];
  const address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
  fc.assert(
    fc.property(fc.nat({ max: 37 }), fc.constantFrom(...letters), (place, letter) => {
      const at = 4 + place;
      fc.pre(address[at] !== letter);
      const typed = `${address.slice(0, at)}${letter}${address.slice(at + 1)}`;
      expect(explainAddress(typed, "mainnet")).toMatch(/checksum/);
    }),
  );
});

test("the day is the one after the request, or after the cool-down", () => {
  const asked = new Date("2026-03-10T23:59:59Z");
  expect(dueDay(asked, new Date("2026-03-01T00:00:00Z"))).toBe("2026-03-11");
  expect(dueDay(asked, new Date("2026-03-11T00:00:00Z"))).toBe("2026-03-12");
});

test("an amount is bounded below by the terms, and by what can be sent at all", () => {
  const facts = { available: 100_000n, feeUnits: 5_000n, isFinal: false };
  expect(amountFault(70_000n, facts)).toBeNull();
  expect(amountFault(69_999n, facts)).toBe("below-minimum");
  expect(amountFault(100_001n, facts)).toBe("insufficient-balance");
  const last = { available: 545n, feeUnits: 0n, isFinal: true };
  expect(amountFault(545n, last)).toBe("too-small-to-send");
  expect(amountFault(546n, { ...last, available: 546n })).toBeNull();
});
