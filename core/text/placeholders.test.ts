import { expect, test } from "vitest";
import { fillPlaceholders, unknownPlaceholders } from "./placeholders.ts";

test("a name in braces becomes the number of the terms", () => {
  expect(fillPlaceholders("At least {minimumWithdrawal}, from {minimumAge}.")).toBe(
    "At least 0.0007 BTC, from 18.",
  );
});

test("a name that is nobody's stays, and is told once", () => {
  const text = "{minimumAge} {profit} {profit} {constructor} {toString} {}";
  expect(fillPlaceholders(text)).toContain("{profit}");
  expect(unknownPlaceholders(text)).toEqual(["profit", "constructor", "toString"]);
});
