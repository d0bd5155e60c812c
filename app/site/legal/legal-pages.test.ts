import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { legalIds } from "#core/legal/legal-document.ts";
import { legalVersions } from "#core/legal/legal-versions.ts";
import { termWords } from "#core/term-words.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { legalAddress, plainTextAddress } from "./legal-address.ts";

const { app, request } = await testApp();
/** A day on which the newest version of every text applies, whatever the machine's clock says. */
const newestDay = legalIds
  .map((id) => legalVersions[id].at(-1)?.effectiveFrom ?? "")
  .sort()
  .at(-1);
app.now = () => new Date(`${newestDay}T12:00:00Z`);

/** What a reader sees: without tags, and with entities as characters. */
async function wordsAt(path: string): Promise<string> {
  const answer = await request(path);
  expect(answer.status, path).toBe(200);
  const html = await answer.text();
  return html
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
}

test("every number that the terms know stands on the page", async () => {
  const words = await wordsAt("/terms");
  for (const [name, number] of Object.entries(termWords()))
    expect(words.includes(number), `${name}: ${number}`).toBe(true);
  expect(words).toContain("not available to US residents");
});

test.each(legalIds)("%s stands at its address, with its version, date and hash", async (id) => {
  const newest = legalVersions[id].at(-1);
  const words = await wordsAt(legalAddress(id));
  expect(words).toContain(newest?.document.title);
  expect(words).toContain(`Version ${newest?.version}, in force since`);
  expect(words).toContain(newest?.sha256);
});

test("three tabs, each a link that says whether it is open", async () => {
  const html = await (await request("/terms?tab=disclaimer")).text();
  const tabs = /<nav[^>]*aria-label="Legal texts"[^>]*>(.*?)<\/nav>/s.exec(html)?.[1] ?? "";
  const labels = [...tabs.matchAll(/<a[^>]*>(.*?)<\/a>/g)].map(([, label]) => label);
  expect(labels).toEqual(["Terms &amp; Condition", "Privacy Policy", "Disclaimer"]);
  const open = [...tabs.matchAll(/<a([^>]*)>(.*?)<\/a>/g)].filter(([, attributes]) =>
    attributes?.includes('aria-current="page"'),
  );
  expect(open.map(([, , label]) => label)).toEqual(["Disclaimer"]);
  expect(tabs.match(/aria-current/g)).toHaveLength(1);
});

test("what changed between two versions stands at an address", async () => {
  const words = await wordsAt("/terms?tab=disclaimer&compare=1.0");
  expect(words).toMatch(/What changed from version 1\.0 to version [\d.]+ ?: /);
});

test.each(
  legalIds.flatMap((id) =>
    legalVersions[id].map(({ version, sha256 }) => [id, version, sha256] as const),
  ),
)("%s %s can be downloaded, and its bytes have the published hash", async (id, version, sha256) => {
  const answer = await request(plainTextAddress(id, version));
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
});

test.each([
  "/terms?tab=other",
  "/terms?tab=terms&version=9.9",
  "/terms?tab=terms&compare=9.9",
  "/terms/terms-9.9.txt",
  "/terms/terms-1.0.html",
  "/terms/..%2f..%2fpackage.json",
])("there is nothing at %s", async (path) => {
  expect((await request(path)).status).toBe(404);
});
