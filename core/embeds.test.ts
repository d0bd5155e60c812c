import { expect, test } from "vitest";
import { embedConsentCookie, readEmbedConsent } from "./embeds.ts";

test.each([
  [null, "unasked"],
  ["", "unasked"],
  ["sidebar=open; assay-embeds=yes", "yes"],
  ["assay-embeds=no; sidebar=open", "no"],
  ["assay-embeds=maybe", "unasked"],
  ["not-assay-embeds=yes", "unasked"],
])("of the cookies %j the choice is %s", (cookies, choice) => {
  expect(readEmbedConsent(cookies)).toBe(choice);
});

test("what is written is what is read", () => {
  expect(readEmbedConsent(embedConsentCookie("yes", true).split(";")[0] ?? "")).toBe("yes");
  expect(readEmbedConsent(embedConsentCookie("no", false).split(";")[0] ?? "")).toBe("no");
  expect(embedConsentCookie("unasked", false)).toContain("Max-Age=0");
});
