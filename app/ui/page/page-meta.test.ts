import { describe, expect, test } from "vitest";
import { isListed, pageMeta } from "./page-meta.ts";

const site = { siteName: "Assay", appUrl: "https://a.example", network: "mainnet", demo: false };

function metaOf(
  page: Partial<Parameters<typeof pageMeta>[0]>,
  { search = "", facts = site }: { search?: string; facts?: typeof site } = {},
) {
  const meta = pageMeta({ title: "FAQ", description: "Answers.", path: "/faq", ...page });
  return meta({ matches: [{ id: "root", loaderData: facts }], location: { search } });
}

test("a page is named before its site", () => {
  expect(metaOf({})).toContainEqual({ title: "FAQ · Assay" });
});

describe("the one address of a page", () => {
  const canonical = (path: string) => ({
    tagName: "link",
    rel: "canonical",
    href: `https://a.example${path}`,
  });

  test("leaves out whatever a link added", () => {
    expect(metaOf({}, { search: "?utm_source=mail" })).toContainEqual(canonical("/faq"));
  });

  test("keeps what makes it another page", () => {
    const page = { path: "/terms", keepParams: ["tab"] };
    const search = "?tab=privacy&utm_source=mail";
    expect(metaOf(page, { search })).toContainEqual(canonical("/terms?tab=privacy"));
  });
});

test("previews of a link get a picture by its whole address", () => {
  expect(metaOf({})).toContainEqual({
    property: "og:image",
    content: "https://a.example/preview.png",
  });
});

test("neither a demo nor a test network is listed by search engines", () => {
  expect(isListed({ network: "mainnet", demo: false })).toBe(true);
  expect(isListed({ network: "regtest", demo: false })).toBe(false);
  expect(isListed({ network: "mainnet", demo: true })).toBe(false);
  const noindex = { name: "robots", content: "noindex" };
  expect(metaOf({})).not.toContainEqual(noindex);
  expect(metaOf({}, { facts: { ...site, network: "testnet" } })).toContainEqual(noindex);
});

test("where the root failed, the title is what can be said", () => {
  const meta = pageMeta({ title: "FAQ", description: "Answers.", path: "/faq" });
  expect(meta({ matches: [], location: { search: "" } })).toEqual([{ title: "FAQ" }]);
});
