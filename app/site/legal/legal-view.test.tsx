import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LegalVersion, legalVersions } from "#core/legal/legal-versions.ts";
import { ComparisonText } from "./comparison.tsx";
import { legalAddress, plainTextAddress } from "./legal-address.ts";
import { legalView } from "./legal-view.ts";
import { VersionLine } from "./version-line.tsx";
import { Versions } from "./versions.tsx";

const terms = legalVersions.terms as LegalVersion[];
const [newest] = terms as [LegalVersion];
/** Made up: a version before the newest, without its first section. */
const earlier: LegalVersion = {
  ...newest,
  version: "0.9",
  effectiveFrom: "2026-01-01",
  sha256: "0".repeat(64),
  document: { ...newest.document, sections: newest.document.sections.slice(1) },
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
  // Its hash is made up.
  expect(shown?.isAsPublished).toBe(false);
  const line = shown && renderToStaticMarkup(<VersionLine view={shown} />);
  expect(line).toContain(`This is not the version in force, ${newest.version}`);
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
  expect(changed?.compared?.comparison.counts).toMatchObject({ changed: 0, removed: 0 });
  expect(changed?.compared?.comparison.counts.added).toBeGreaterThan(0);
  if (!changed?.compared) throw new Error("nothing compared");
  const text = renderToStaticMarkup(<ComparisonText view={changed} compared={changed.compared} />);
  expect(text).toContain(`What changed from version 0.9 to version ${newest.version}`);
  expect(text).toContain("<ins>");
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
