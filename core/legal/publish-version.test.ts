import { expect, test } from "vitest";
import type { LegalDocument } from "./legal-document.ts";
import { hashOf } from "./plain-text.ts";
import { publishVersion } from "./publish-version.ts";

const text = (words: string): LegalDocument => ({
  id: "terms",
  title: "Terms",
  opening: [words],
  sections: [],
});
const summary = "The first text.";
const first = { document: text("one"), version: "1.0", effectiveFrom: "2026-12-01", summary };
const published = publish([], first);

function publish(...[before, publication]: Parameters<typeof publishVersion>) {
  const versions = publishVersion(before, publication);
  if (typeof versions === "string") throw new Error(versions);
  return versions;
}

test("adds a version with its hash, and leaves the ones before as they are", () => {
  const next = { ...first, document: text("two"), version: "1.1", effectiveFrom: "2026-12-24" };
  const versions = publish(published, next);
  expect(versions[0]).toBe(published[0]);
  expect(versions[1]).toEqual({ ...next, sha256: hashOf(next.document) });
});

test("1.10 is higher than 1.9", () => {
  const ninth = publish([], { ...first, version: "1.9" });
  const tenth = { ...first, document: text("two"), version: "1.10", effectiveFrom: "2026-12-24" };
  expect(publish(ninth, tenth)).toHaveLength(2);
});

test.each([
  ["the version exists", { version: "1.0" }, /newest version is 1\.0/],
  ["the version is lower", { version: "0.9" }, /newest version is 1\.0/],
  ["nothing changed", { document: text("one") }, /text is that of version 1\.0/],
  ["it begins before the one before", { effectiveFrom: "2026-11-30" }, /begins later/],
  ["it begins with the one before", { effectiveFrom: "2026-12-01" }, /begins later/],
  ["the day is none", { effectiveFrom: "2026-02-30" }, /no day/],
  ["the number is none", { version: "next" }, /two numbers/],
  ["nothing is said about it", { summary: "" }, /what changed/],
])("refuses when %s", (_when, wrong, words) => {
  const later = { version: "1.1", effectiveFrom: "2026-12-24" };
  const next = { ...first, document: text("two"), ...later, ...wrong };
  expect(publishVersion(published, next)).toMatch(words);
});

test("writes the newest anew when asked to, with the same number", () => {
  const versions = publish(published, { ...first, document: text("better"), again: true });
  expect(versions).toHaveLength(1);
  expect(versions[0]?.document.opening).toEqual(["better"]);
});
