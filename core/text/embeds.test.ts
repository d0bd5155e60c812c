import { expect, test } from "vitest";
import { type EmbedConsent, embedConsentCookie, readEmbedConsent } from "./embeds.ts";

test.each([
  [null, "unasked"],
  ["", "unasked"],
  ["sidebar=open; assay-embeds=yes", "yes"],
  ["assay-embeds=no; sidebar=open", "no"],
  ["assay-embeds=maybe", "unasked"],
  ["not-assay-embeds=yes", "unasked"],
])("of the cookies %j the choice is %s", (cookies, choice) => {
  expect(readEmbedConsent(cookies, false)).toBe(choice);
});

test("where there is TLS only what this very host has set counts", () => {
  expect(readEmbedConsent("assay-embeds=yes", true)).toBe("unasked");
  expect(readEmbedConsent("assay-embeds=yes; __Host-assay-embeds=no", true)).toBe("no");
});

test("what is written is what is read", () => {
  const written = (choice: EmbedConsent) => embedConsentCookie(choice).split(";")[0] ?? "";
  expect(readEmbedConsent(written("yes"), false)).toBe("yes");
  expect(readEmbedConsent(written("no"), false)).toBe("no");
  expect(embedConsentCookie("unasked")).toContain("Max-Age=0");
});
