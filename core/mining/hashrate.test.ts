import { expect, test } from "vitest";
import { formatHashrate, parseThs, writeThs } from "./hashrate.ts";

test("reads and writes TH/s to the GH/s", () => {
  expect(parseThs("104.5")).toBe(104_500n);
  expect(parseThs("1,200 TH/s")).toBe(1_200_000n);
  expect(parseThs("0.0001")).toBeNull();
  expect(writeThs(104_500n)).toBe("104.5");
});

test.each([
  [0n, "0 TH/s"],
  [999n, "0.999 TH/s"],
  [104_500n, "104.5 TH/s"],
  [1_234_567n, "1.234 PH/s"],
  [25_000_000_000n, "25 EH/s"],
])("%s GH/s are %s", (ghs, text) => {
  expect(formatHashrate(ghs)).toBe(text);
});
