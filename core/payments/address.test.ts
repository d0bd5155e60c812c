import { expect, test } from "vitest";
import { checkBitcoinAddress, checkEthereumAddress } from "./address.ts";

// Published examples of BIP 173, BIP 350 and EIP-55, and changes of one character to them.
test.each([
  ["bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "regtest", null],
  ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "testnet", null],
  ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "mainnet", null],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "mainnet", null],
  ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "mainnet", "wrong-network"],
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "mainnet", "checksum"],
  // A version 1 program under the old checksum, and a version 0 program under the new one.
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "mainnet", "checksum"],
  ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KEMEAWH", "mainnet", "checksum"],
  ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "mainnet", null],
  ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3", "mainnet", "checksum"],
  ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "testnet", "wrong-network"],
  ["", "mainnet", "malformed"],
  ["not an address", "mainnet", "malformed"],
] as const)("finds the fault of %s on %s: %s", (address, network, fault) => {
  expect(checkBitcoinAddress(address, network)).toBe(fault);
});

test.each([
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", null],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", null],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", "checksum"],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", "malformed"],
  ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "malformed"],
])("finds the fault of %s: %s", (address, fault) => {
  expect(checkEthereumAddress(address)).toBe(fault);
});
