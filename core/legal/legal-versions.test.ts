import { expect, onTestFinished, test } from "vitest";
import { isDay } from "../utc-day.ts";
import { legalIds } from "./legal-document.ts";
import { legalTexts } from "./legal-texts.ts";
import { findVersion, type LegalVersion, legalVersions, versionInForce } from "./legal-versions.ts";
import { hashOf, toPlainText } from "./plain-text.ts";

test.each(legalIds)("%s: the text that the site shows is its newest version", (id) => {
  const newest = legalVersions[id].at(-1);
  const changed = `The text of "${id}" is not that of version ${newest?.version} any more. Publish it as a further one: npm run legal -- publish ${id} VERSION YYYY-MM-DD "What changed."`;
  expect(newest?.sha256, changed).toBe(hashOf(legalTexts()[id]));
});

test.each(legalIds)("%s: what was published is as it was", (id) => {
  for (const { version, sha256, document } of legalVersions[id])
    expect(hashOf(document), `${id} ${version} was edited`).toBe(sha256);
});

test.each(legalIds)("%s: versions go up, begin in order, and say what changed", (id) => {
  const versions = legalVersions[id];
  const numbers = versions.map(({ version }) => version.split(".").map(Number));
  expect(numbers).toEqual(
    numbers.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0)),
  );
  expect(new Set(versions.map(({ version }) => version)).size).toBe(versions.length);
  const days = versions.map(({ effectiveFrom }) => effectiveFrom);
  expect(days).toEqual([...new Set(days)].sort());
  expect(days.every(isDay)).toBe(true);
  for (const { summary } of versions) expect(summary).toMatch(/^[A-Z].{5,200}\.$/);
});

test("a version applies from its day on, and not before", () => {
  const terms = legalVersions.terms as LegalVersion[];
  const first = terms[0] as LegalVersion;
  const next = { ...first, version: "99.8", effectiveFrom: "2998-01-01" };
  const newest = terms.at(-1);
  terms.push(next);
  onTestFinished(() => {
    terms.pop();
  });
  expect(versionInForce("terms", "2020-01-01")).toBe(first);
  expect(versionInForce("terms", "2997-12-31")).toBe(newest);
  expect(versionInForce("terms", "2998-01-01")).toBe(next);
  expect(findVersion("terms", "99.8")).toBe(next);
  expect(findVersion("terms", "99.9")).toBeNull();
});

test("the plain text is one line for each paragraph, with the addresses of its links", () => {
  const text = toPlainText({
    id: "terms",
    title: "Terms",
    opening: ["Read [this](/about)."],
    sections: [
      {
        id: "a",
        title: "A",
        blocks: [
          "One `name`.",
          { list: ["two", "three"] },
          { head: ["x", "y"], rows: [["1", "2"]] },
        ],
      },
    ],
  });
  expect(text).toBe(
    "TERMS\n\nRead this </about>.\n\n1. A\n\nOne name.\n\n- two\n- three\n\nx | y\n1 | 2\n",
  );
});
