import { expect, test } from "vitest";
import { parseFeeRate, writeFeeRate } from "./fee-rate.ts";

test.each([
  ["1.5", 1500],
  ["12", 12_000],
  ["0.001", 1],
  ["1.2345", null],
  ["-1", null],
  ["1e3", null],
  ["", null],
])("a fee rate of %j is %j satoshis per 1,000 virtual bytes", (text, feePerKvb) => {
  expect(parseFeeRate(text)).toBe(feePerKvb);
  if (feePerKvb !== null) expect(writeFeeRate(feePerKvb)).toBe(text);
});
