import { expect, test } from "vitest";
import { formatCount, formatHashrate } from "./network-words.ts";

test.each([
  [0n, "0 H/s"],
  [999n, "999 H/s"],
  [1_000n, "1.00 kH/s"],
  [1_023_999_999_999_999_999_999n, "1.02 ZH/s"],
  [1_500_000_000_000_000_000_000_000_000n, "1,500.00 YH/s"],
])("%s hashes a second read as %s, never rounded up", (hashes, words) => {
  expect(formatHashrate(hashes)).toBe(words);
});

test.each([
  [950n, "950"],
  [150_839_487_445_890n, "150.83 trillion"],
])("a difficulty of %s reads as %s", (count, words) => {
  expect(formatCount(count)).toBe(words);
});
