import { expect, test } from "vitest";
import { legalVersions } from "#core/legal/legal-versions.ts";
import { legalAddress, plainTextAddress } from "./legal-address.ts";
import { legalView } from "./legal-view.ts";

const view = (search: string, day = "2999-01-01") => legalView(new URLSearchParams(search), day);
const newest = legalVersions.terms.at(-1)?.version ?? "";
const first = legalVersions.terms[0]?.version ?? "";

test("shows the version in force, read from the program", () => {
  expect(view("")).toMatchObject({
    document: { id: "terms" },
    shown: { version: newest },
    inForce: { version: newest },
    isAsPublished: true,
    compared: null,
  });
  expect(view("tab=cookies")?.document.title).toBe("Cookie Policy");
});

test("shows an earlier version as it was published", () => {
  const shown = view(`tab=terms&version=${first}`);
  expect(shown?.shown.version).toBe(first);
  expect(shown?.inForce.version).toBe(newest);
  expect(shown?.document).toEqual(legalVersions.terms[0]?.document);
  expect(shown?.isAsPublished).toBe(true);
});

test("compares with an earlier version, and finds nothing between a version and itself", () => {
  const compared = view(`tab=terms&compare=${first}`)?.compared;
  expect(compared?.with.version).toBe(first);
  expect(compared?.comparison.counts.added).toBeGreaterThan(0);
  const same = view(`tab=terms&compare=${newest}`)?.compared?.comparison.counts;
  expect(same).toMatchObject({ added: 0, changed: 0, removed: 0 });
});

test.each(["tab=other", "tab=", "version=99.9", "tab=privacy&compare=99.9", "tab=__proto__"])(
  "there is nothing at ?%s",
  (search) => {
    expect(view(search)).toBeNull();
  },
);

test("each text has one address", () => {
  expect(legalAddress("terms")).toBe("/terms");
  expect(legalAddress("privacy")).toBe("/terms?tab=privacy");
  expect(legalAddress("terms", { compare: "1.0" })).toBe("/terms?tab=terms&compare=1.0");
  expect(plainTextAddress("cookies", "1.0")).toBe("/terms/cookies-1.0.txt");
});
