import { expect, test } from "vitest";
import { countryCodes, countryName, countryOptions, isCountry, isServed } from "./countries.ts";

test("lists the 249 codes of ISO 3166-1, each once and with a name", () => {
  expect(countryCodes).toHaveLength(249);
  expect(new Set(countryCodes).size).toBe(249);
  for (const code of countryCodes) expect(countryName(code), code).not.toBe(code);
});

test("serves everybody but residents of the United States and its territories", () => {
  expect(["US", "PR", "GU", "VI", "AS", "MP", "UM"].filter(isServed)).toEqual([]);
  expect(["DE", "GB", "CA", "MX"].filter(isServed)).toEqual(["DE", "GB", "CA", "MX"]);
});

test("knows a country from what only looks like one", () => {
  expect(["DE", "de", "XX", "", "EU", "ZZ", "__proto__"].filter(isCountry)).toEqual(["DE"]);
});

test("offers countries by their names", () => {
  const labels = countryOptions().map(({ label }) => label);
  expect(labels.indexOf("Afghanistan")).toBe(0);
  expect(labels.at(-1)).toBe("Zimbabwe");
});
