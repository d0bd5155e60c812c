import fc from "fast-check";
import { expect, test } from "vitest";
import { amountFault, dueDay, leavesOn } from "./withdrawal.ts";
import { explainAddress, lacksChecksum, readAddress } from "./withdrawal-address.ts";

const main = { coin: "BTC", network: "mainnet", usdtContract: null } as const;

// Of BIP 173, BIP 350 and BIP 86, and the first address that was ever paid.
const good = [
  "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
  "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
  "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
];

test.each(good)("%s can be paid, however it was copied", (address) => {
  expect(explainAddress(address, main)).toBeNull();
  expect(explainAddress(` bitcoin:${address}?amount=1 \n`, main)).toBeNull();
  expect(readAddress(`bitcoin:${address}?label=x`, "BTC").toLowerCase()).toBe(
    address.toLowerCase(),
  );
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
  expect(explainAddress(typed, main)).toMatch(words);
});

const usdtContract = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const onEthereum = (coin: "ETH" | "USDT") => ({ coin, network: "regtest", usdtContract }) as const;
// Of EIP-55.
const checksummed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

test.each([
  checksummed,
  checksummed.toLowerCase(),
  `0x${checksummed.slice(2).toUpperCase()}`,
  ` ethereum:${checksummed}@1?value=1 `,
  `ethereum:pay-${checksummed}`,
])("%s can be paid on Ethereum, and is kept with its checksum", (typed) => {
  expect(explainAddress(typed, onEthereum("ETH"))).toBeNull();
  expect(explainAddress(typed, onEthereum("USDT"))).toBeNull();
  expect(readAddress(typed, "USDT")).toBe(checksummed);
  expect(lacksChecksum(typed)).toBe(!typed.includes("aAeb"));
});

test.each([
  ["", /Enter an Ethereum address/],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", /checksum/],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", /has 40 digits after 0x; this has 39/],
  ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", /0x is missing/],
  ["0xdAC17F958D2ee523a2206206994597C13D831ec7", /contract of USDT itself/],
  [usdtContract.toLowerCase(), /contract of USDT itself/],
  ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", /contract of USDC itself/],
  ["0x0000000000000000000000000000000000000000", /No one has the key/],
  ["0x0000000000000000000000000000000000000004", /No one has the key/],
  ["0x000000000000000000000000000000000000dEaD", /No one has the key/],
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", /Bitcoin address. USDT leaves on Ethereum/],
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", /Bitcoin address/],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", /Tron address.*ERC-20/],
  [`0x${"ab".repeat(32)}`, /transaction id or a private key/],
  ["vitalik.eth", /Names can change their owner/],
  ["0x5aAeb6053F3E94C9b9A0 9f33669435E7Ef1BeAed", /no spaces/],
  ["hello", /no Ethereum address/],
])("%s is explained to who wants USDT", (typed, words) => {
  expect(explainAddress(typed, onEthereum("USDT"))).toMatch(words);
});

test("one wrong letter anywhere is always found", () => {
  const letters = [..."qpzry9x8gf2tvdw0s3jn54khce6mua7l"];
  const address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
  fc.assert(
    fc.property(fc.nat({ max: 37 }), fc.constantFrom(...letters), (place, letter) => {
      const at = 4 + place;
      fc.pre(address[at] !== letter);
      const typed = `${address.slice(0, at)}${letter}${address.slice(at + 1)}`;
      expect(explainAddress(typed, main)).toMatch(/checksum/);
    }),
  );
});

test("the day is the one after the request, or after the cool-down", () => {
  const asked = new Date("2026-03-10T23:59:59Z");
  expect(dueDay(asked, new Date("2026-03-01T00:00:00Z"))).toBe("2026-03-11");
  expect(dueDay(asked, new Date("2026-03-11T00:00:00Z"))).toBe("2026-03-12");
});

test("it leaves on its day, when its hold has ended, or as soon as it can where that is over", () => {
  const at = new Date("2026-03-10T12:00:00Z");
  const held = (day: string) => new Date(`${day}T00:00:00Z`);
  const leaves = (dueOn: string, heldUntil: Date | null) => leavesOn({ dueOn, heldUntil }, at);
  expect(leaves("2026-03-11", null)).toBe("2026-03-11");
  expect(leaves("2026-03-11", held("2026-03-14"))).toBe("2026-03-14");
  expect(leaves("2026-03-11", held("2026-03-09"))).toBe("2026-03-11");
  expect(leaves("2026-03-08", null)).toBe("2026-03-10");
});

test("an amount is bounded below by the terms, and by what can be sent at all", () => {
  const facts = { available: 100_000n, feeUnits: 5_000n, minimumUnits: 70_000n, isFinal: false };
  expect(amountFault("BTC", 70_000n, facts)).toBeNull();
  expect(amountFault("BTC", 69_999n, facts)).toBe("below-minimum");
  expect(amountFault("BTC", 100_001n, facts)).toBe("insufficient-balance");
  const last = { ...facts, available: 545n, feeUnits: 0n, isFinal: true };
  expect(amountFault("BTC", 545n, last)).toBe("too-small-to-send");
  expect(amountFault("BTC", 546n, { ...last, available: 546n })).toBeNull();
  expect(amountFault("ETH", 1n, last)).toBeNull();
  expect(amountFault("USDT", 0n, last)).toBe("too-small-to-send");
});
