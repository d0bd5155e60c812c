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
  ["/account/..//evil.example", "/account/security"],
  ["/account/%2e%2e//evil.example", "/account/security"],
  ["/\t/evil.example/account/", "/account/security"],
  ["/account//evil.example", "/account//evil.example"],
  ["javascript:alert(1)//account/", "/account/security"],
  ["account/withdraw", "/account/security"],
  [null, "/account/security"],
])("only a page of the own section is gone to: %s", (next, to) => {
  expect(nextInside(next, "/account/security")).toBe(to);
});
