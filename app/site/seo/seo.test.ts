import { expect, test } from "vitest";
import { emptyCompany } from "#server/content/content.ts";
import { saveContent } from "#server/content/save-content.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { listedPaths } from "./listed-paths.ts";

const mainnet = {
  NETWORK: "mainnet",
  APP_URL: "https://mining.example",
  // The coinbase outputs of the first block, and an address of a published test vector (EIP-55).
  DEPOSIT_ADDRESS_BITCOIN: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  DEPOSIT_ADDRESS_ETHEREUM: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
};
const live = await testApp(mainnet);
const trial = await testApp();

const textOf = async (product: typeof live, path: string) => (await product.request(path)).text();

test("search engines are kept out of accounts and the console, and shown the list", async () => {
  const robots = await textOf(live, "/robots.txt");
  expect(robots).toContain("Disallow: /account\n");
  expect(robots).toContain("Disallow: /operator\n");
  expect(robots).toContain("Sitemap: https://mining.example/sitemap.xml");
});

test("the list holds each public page by its one address", async () => {
  const sitemap = await textOf(live, "/sitemap.xml");
  for (const path of listedPaths) {
    expect(sitemap).toContain(`<loc>https://mining.example${path}</loc>`);
  }
});

test("the newsletter's page is listed, the pages behind its mails are not", () => {
  expect(listedPaths.filter((path) => path.startsWith("/newsletter"))).toEqual(["/newsletter"]);
});

test("every listed page is there", async () => {
  for (const path of listedPaths) expect((await live.request(path)).status, path).toBe(200);
});

test("a test network has no list, and every page of it says noindex", async () => {
  expect((await trial.request("/sitemap.xml")).status).toBe(404);
  expect(await textOf(trial, "/robots.txt")).not.toContain("Sitemap");
  expect(await textOf(trial, "/")).toContain('<meta name="robots" content="noindex"/>');
  expect(await textOf(live, "/")).not.toContain("noindex");
});

test.each([
  "/resetpassword",
  "/verify-email",
  "/change-email",
  "/keep-account",
  "/confirm-withdrawal",
  "/freeze",
])("%s, which mails lead to, is not listed", async (path) => {
  const marks = (await textOf(live, `${path}?token=none`)).match(/<meta name="robots"[^>]*>/g);
  expect(marks).toEqual(['<meta name="robots" content="noindex"/>']);
});

test("the first page says whose it is, to search engines and to previews of its link", async () => {
  const page = await textOf(live, "/");
  expect(page).toContain("<title>Secure Trading and Bitcoin Cloud Mining Services · Assay</title>");
  expect(page).toContain('<link rel="canonical" href="https://mining.example/"/>');
  expect(page).toContain('content="https://mining.example/preview.png"');
  const [, structured] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? [];
  expect(JSON.parse(structured ?? "null")).toMatchObject({
    "@type": "Organization",
    name: "Assay",
    url: "https://mining.example/",
  });
});

test("the manifest names icons that exist, in the sizes that it states", async () => {
  const { name, icons } = JSON.parse(await textOf(live, "/manifest.webmanifest"));
  expect(name).toBe("Assay");
  for (const { src, sizes, type } of icons) {
    const file = Buffer.from(await (await live.request(src)).arrayBuffer());
    expect(file.length, src).toBeGreaterThan(100);
    if (type === "image/png") expect(pngSize(file), src).toBe(sizes);
  }
});

test("a preview's picture has the size that pages state", async () => {
  const file = Buffer.from(await (await live.request("/preview.png")).arrayBuffer());
  expect(pngSize(file)).toBe("1200x630");
});

test("without an address of the company there is no security.txt", async () => {
  expect((await live.request("/.well-known/security.txt")).status).toBe(404);
});

test("with one, it says where to report a weakness, and until when", async () => {
  const { app, db } = live;
  const now = app.now();
  const body = { ...emptyCompany, name: "Example Mining Ltd", email: "desk@mining.example" };
  const edit = { kind: "company", slug: "company", seenVersion: 0, newId: null, body } as const;
  const operator = await createTestOperator(db);
  await saveContent(db, { ...operator, requestId: null }, { ...edit, state: "published" }, now);
  const answer = await live.request("/.well-known/security.txt");
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await answer.text();
  expect(text).toContain("Contact: mailto:desk@mining.example\n");
  expect(text).toContain("Canonical: https://mining.example/.well-known/security.txt\n");
  const [, expires = ""] = /^Expires: (.+)$/m.exec(text) ?? [];
  const daysLeft = (new Date(expires).getTime() - now.getTime()) / 86_400_000;
  expect(daysLeft).toBeGreaterThan(150);
  expect(daysLeft).toBeLessThan(365);
});

function pngSize(file: Buffer): string {
  return `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`;
}
