import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { browserStorage } from "#core/legal/browser-storage.ts";
import { expect, newEmail, signUpByForm, test } from "./journey.ts";

const tabs = [
  ["Terms & Condition", "/terms"],
  ["Privacy Policy", "/terms?tab=privacy"],
  ["Disclaimer", "/terms?tab=disclaimer"],
] as const;

async function expectTabsToWork(page: Page) {
  for (const [label, address] of tabs) {
    await page
      .getByRole("navigation", { name: "Legal texts" })
      .getByRole("link", { name: label })
      .click();
    await expect(page).toHaveURL((url) => url.pathname + url.search === address);
    await expect(page.getByRole("heading", { level: 1, name: label })).toBeVisible();
    await expect(page.locator('[aria-label="Legal texts"] [aria-current="page"]')).toHaveText(
      label,
    );
  }
}

test("a visitor opens each legal text by its tab, its footer link and its address", async ({
  page,
}) => {
  await page.goto("/terms");
  await expectTabsToWork(page);
  const footer = page.getByRole("contentinfo");
  for (const [label, title] of [
    ["Privacy Policy", "Privacy Policy"],
    ["Terms of Service", "Terms & Condition"],
    ["Cookie Policy", "Cookie Policy"],
  ] as const) {
    await footer.getByRole("link", { name: label }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  }
  await expect(page).toHaveURL(/\/terms\?tab=cookies$/);
});

test("the texts need no JavaScript: tabs, deep links, comparison", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  await page.goto("/terms");
  await expectTabsToWork(page);
  await page.goto("/terms#withdrawals");
  const heading = page.getByRole("heading", { name: /Withdrawals/ });
  await expect(heading).toBeInViewport();
  // There is one version: compared with itself. Two are compared in app/site/legal/legal-view.test.tsx.
  await page.goto("/terms?tab=terms&compare=1.0");
  await expect(page.getByText(/What changed from version 1\.0 to version \S+: /)).toBeVisible();
  await context.close();
});

test("a section has an address that opens at the section, below the bar", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await opened;
    await route.continue();
  });
  await page.goto("/terms", { waitUntil: "domcontentloaded" });
  await page
    .getByRole("navigation", { name: "Sections" })
    .getByRole("link", { name: "Maintenance fee and cancellation" })
    .click();
  await expect(page).toHaveURL(/#maintenance$/);
  const heading = page.getByRole("heading", { name: /Maintenance fee and cancellation/ });
  await expect(heading).toBeInViewport();
  const place = async () => (await heading.boundingBox())?.y ?? 0;
  const bar = await page.getByRole("banner").boundingBox();
  const before = await place();
  expect(before).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  // A visit's first page gets its fonts last, and its lines break anew.
  open();
  await expect(page.locator("html")).not.toHaveAttribute("data-fonts");
  expect(Math.abs((await place()) - before)).toBeLessThan(2);
});

test("on paper the text stands alone, with its address, version and hash", async ({ page }) => {
  await page.goto("/terms?tab=privacy");
  await page.emulateMedia({ media: "print" });
  for (const role of ["banner", "contentinfo"] as const)
    await expect(page.getByRole(role)).toBeHidden();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByText(/\/terms\?tab=privacy · version .* · SHA-256/)).toBeVisible();
});

test("the plain text has the hash that its page shows", async ({ page, request }) => {
  await page.goto("/terms?tab=cookies");
  const link = page.getByRole("link", { name: /^Plain text of/ }).first();
  const answer = await request.get((await link.getAttribute("href")) ?? "");
  const hash = createHash("sha256")
    .update(await answer.body())
    .digest("hex");
  await expect(page.locator("code", { hasText: hash }).first()).toBeVisible();
});

test("a browser keeps nothing that the cookie policy does not list", async ({ page, context }) => {
  const listed = new Set(browserStorage().map(({ name }) => name));
  for (const path of ["/", "/about", "/faq", "/terms"]) await page.goto(path);
  expect(await context.cookies()).toEqual([]);
  await signUpByForm(page, newEmail());
  await page.goto("/account/deposit");
  const kept = [
    ...(await context.cookies()).map(({ name }) => name),
    ...(await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])),
  ];
  expect(kept).toContain("assay.session_token");
  expect(kept.filter((name) => !listed.has(name))).toEqual([]);
});
