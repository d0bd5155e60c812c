import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LegalDocument } from "#core/legal/legal-document.ts";
import { type LegalVersion, legalVersions } from "#core/legal/legal-versions.ts";
import { hashOf } from "#core/legal/plain-text.ts";
import { ComparisonText } from "./comparison.tsx";
import { legalAddress, plainTextAddress } from "./legal-address.ts";
import { legalView } from "./legal-view.ts";
import { VersionLine } from "./version-line.tsx";
import { Versions } from "./versions.tsx";

const terms = legalVersions.terms as LegalVersion[];
const newest = terms.at(-1) as LegalVersion;
const [, ...later] = newest.document.sections;
/** Made up: without the first section, with other words in one, and with one of its own. */
const document: LegalDocument = {
  ...newest.document,
  sections: [
    ...later.map((section) => {
      const [words, ...blocks] = section.blocks;
      return section.id !== "account"
        ? section
        : { ...section, blocks: [`In other words: ${words}`, ...blocks] };
    }),
    { id: "own", title: "Of its own", blocks: ["This section went."] },
  ],
};
/** A version before all others. */
const earlier: LegalVersion = {
  version: "0.9",
  effectiveFrom: "2026-01-01",
  summary: "Made up.",
  sha256: hashOf(document),
  document,
};
beforeAll(() => {
  terms.unshift(earlier);
});
afterAll(() => {
  terms.shift();
});

const view = (search: string, day = "2999-01-01") => legalView(new URLSearchParams(search), day);

test("shows the version in force, read from the program", () => {
  expect(view("")).toMatchObject({
    document: { id: "terms" },
    shown: { version: newest.version },
    inForce: { version: newest.version },
    isAsPublished: true,
    compared: null,
  });
  expect(view("tab=cookies")?.document.title).toBe("Cookie Policy");
});

test("shows an earlier version as it was published, and that it is not in force", () => {
  const shown = view("tab=terms&version=0.9");
  expect(shown?.shown.version).toBe("0.9");
  expect(shown?.inForce.version).toBe(newest.version);
  expect(shown?.document).toEqual(earlier.document);
  expect(shown?.isAsPublished).toBe(true);
  const line = shown && renderToStaticMarkup(<VersionLine view={shown} />);
  expect(line).toContain(`This is not the version in force, ${newest.version}`);
  expect(line).not.toContain("published under this number");
});

test("says that a text is not the one that was published", () => {
  terms[0] = { ...earlier, sha256: "0".repeat(64) };
  const shown = view("tab=terms&version=0.9");
  terms[0] = earlier;
  expect(shown?.isAsPublished).toBe(false);
  const line = shown && renderToStaticMarkup(<VersionLine view={shown} />);
  expect(line).toContain("not the one that was published under this number");
});

test("announces a version of a later day, with what changes", () => {
  const before = view("", "2026-02-01");
  expect(before?.shown.version).toBe("0.9");
  const line = before && renderToStaticMarkup(<VersionLine view={before} />);
  expect(line).toContain(`Version ${newest.version} applies from`);
  expect(line).toContain(`/terms?tab=terms&amp;version=${newest.version}&amp;compare=0.9`);
});

test("compares with an earlier version, and finds nothing between a version and itself", () => {
  const changed = view("tab=terms&compare=0.9");
  expect(changed?.compared?.with.version).toBe("0.9");
  expect(changed?.compared?.comparison.counts).toMatchObject({ changed: 1, removed: 2 });
  expect(changed?.compared?.comparison.counts.added).toBeGreaterThan(0);
  if (!changed?.compared) throw new Error("nothing compared");
  const text = renderToStaticMarkup(<ComparisonText view={changed} compared={changed.compared} />);
  expect(text).toContain(`What changed from version 0.9 to version ${newest.version}`);
  expect(text).toContain("<del>In other words: ");
  for (const fate of ["added", "changed", "removed"]) expect(text).toContain(`"${fate}"`);
  const same = view(`tab=terms&compare=${newest.version}`)?.compared?.comparison.counts;
  expect(same).toMatchObject({ added: 0, changed: 0, removed: 0 });
});

test("lists each version, with the ways to read and compare it", () => {
  const shown = view("");
  const list = shown && renderToStaticMarkup(<Versions view={shown} />);
  expect(list).toContain("Read version 0.9");
  expect(list).toContain(`Compare it with ${newest.version}`);
  expect(list).toContain("/terms/terms-0.9.txt");
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
