import { expect, test } from "vitest";
import { nextInside } from "./next-inside.ts";

test.each([
  ["/account/withdraw?coin=BTC", "/account/withdraw?coin=BTC"],
  ["/account", "/account"],
  ["/operator/deposits", "/account/security"],
  ["/accounts", "/account/security"],
  ["//evil.example/account/", "/account/security"],
  ["/\\evil.example/account/", "/account/security"],
  ["https://evil.example/account/", "/account/security"],
  ["/account/../operator", "/account/security"],
  [null, "/account/security"],
])("only a page of the own section is gone to: %s", (next, to) => {
  expect(nextInside(next, "/account/security")).toBe(to);
});
