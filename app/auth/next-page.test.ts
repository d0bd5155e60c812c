import { expect, test } from "vitest";
import { nextPage } from "./next-page.ts";

test.each([
  ["/account/deposit?show=25", "customer", "/account/deposit?show=25"],
  ["/account", "customer", "/account"],
  ["/operator/customers?q=ada", "operator", "/operator/customers?q=ada"],
  [null, "customer", "/account/dashboard"],
  [null, "operator", "/operator"],
  ["/operator", "customer", "/account/dashboard"],
  ["/account", "operator", "/operator"],
  ["/login", "customer", "/account/dashboard"],
  ["/accountant", "customer", "/account/dashboard"],
  ["/account/../signout", "customer", "/account/dashboard"],
  ["//evil.example/account", "customer", "/account/dashboard"],
  ["/\\evil.example/account", "customer", "/account/dashboard"],
  ["/\t/evil.example/account", "customer", "/account/dashboard"],
  ["https://evil.example/account", "customer", "/account/dashboard"],
  ["javascript:alert(1)", "customer", "/account/dashboard"],
] as const)("leads from %j as %s to %s", (wanted, kind, expected) => {
  expect(nextPage(wanted, kind)).toBe(expected);
});
