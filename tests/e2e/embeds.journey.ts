import type { Page } from "@playwright/test";
import {
  expect,
  expectAccessible,
  test as journey,
  newEmail,
  signUp,
  watchOtherHosts,
} from "./journey.ts";
import { test, untilPriced, watchShifts } from "./market-product.ts";

// They share one product, and a visitor may choose another host's widgets.
test.describe.configure({ mode: "default" });
test.use({ asksOthers: true });

async function readToTheEnd(page: Page, path: string): Promise<void> {
  await page.goto(path);
  for (let step = 0; step < 6; step++) await page.mouse.wheel(0, 1500);
  await page.waitForLoadState("networkidle");
}

journey(
  "unless the operator switches them on, no widgets of a provider are offered",
  async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("form", { name: "Embedded widgets" })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Embedded widgets" })).toHaveCount(0);
    expect(await page.context().cookies()).not.toContainEqual(
      expect.objectContaining({ name: "assay-embeds" }),
    );
  },
);

test("switched on by the operator, nothing is asked of the provider before a visitor's yes", async ({
  page,
  product,
}) => {
  const strangers = watchOtherHosts(page.context(), product.url);
  await untilPriced(page);
  await expect(page.getByRole("form", { name: "Embedded widgets" })).toBeVisible();
  await expectAccessible(page);
  for (const path of ["/", "/faq", "/embeds"]) await readToTheEnd(page, path);
  await signUp(page, newEmail());
  await readToTheEnd(page, "/account/dashboard");
  await expect(page.getByRole("form", { name: "Embedded widgets" })).toBeVisible();
  await page.getByRole("button", { name: "Keep this site's own" }).click();
  await page.waitForURL("**/account/dashboard");
  await expect(page.getByRole("form", { name: "Embedded widgets" })).toBeHidden();
  await expect(page.getByRole("region", { name: "Market overview" })).toBeVisible();
  await readToTheEnd(page, "/");
  await expect(page.getByRole("form", { name: "Embedded widgets" })).toBeHidden();
  expect(strangers).toEqual([]);
  expect(product.provider.requests).toEqual([]);
});

test("after a yes each widget gets its options, 100 ms after its document began, until a no", async ({
  page,
  product,
}) => {
  const shifts = await watchShifts(page);
  await untilPriced(page);
  await page.getByRole("button", { name: "Show TradingView's" }).click();
  const tape = page.frameLocator('iframe[title="Ticker tape by TradingView"]');
  await expect(tape.frameLocator("iframe").getByText("Widget ticker-tape")).toBeVisible();
  await expect(page.locator("[data-price]:visible")).toHaveCount(0);
  await page.locator('iframe[title="News by TradingView"]').scrollIntoViewIfNeeded();
  await shifts.expectSteady();

  await signUp(page, newEmail());
  await page.goto("/account/dashboard");
  const overview = page.frameLocator('iframe[title="Market overview by TradingView"]');
  await expect(overview.frameLocator("iframe").getByText("Widget market-overview")).toBeVisible();
  const tickers = page.frameLocator('iframe[title="Tickers by TradingView"]');
  await expect(tickers.frameLocator("iframe").getByText("Widget tickers")).toBeVisible();

  const frame = page.locator('iframe[title="Tickers by TradingView"]');
  expect(await frame.evaluate((at) => (at as HTMLIFrameElement).contentDocument)).toBeNull();

  const frames = product.provider.requests.filter(({ options }) => options !== null);
  const optionsOf = (name: string) =>
    frames.find(({ path }) => path === `/embed-widget/${name}/`)?.options;
  const proNames = ["BTC", "ETH", "XRP"].map((coin) => `BITSTAMP:${coin}USD`);
  const quotes = [...proNames, "COINBASE:DOGEUSD", "COINBASE:SOLUSD"].map((proName) =>
    expect.objectContaining({ proName }),
  );
  expect(optionsOf("ticker-tape")).toMatchObject({ symbols: quotes, locale: "en" });
  expect(optionsOf("tickers")).toMatchObject({ symbols: quotes, locale: "en" });
  expect(optionsOf("timeline")).toMatchObject({ feedMode: "market", market: "crypto" });
  expect(optionsOf("market-overview")).toMatchObject({
    dateRange: "12M",
    colorTheme: "light",
    height: 700,
  });
  for (const { path, ranAfterMs } of frames) expect(ranAfterMs, path).toBeGreaterThanOrEqual(100);

  await page.getByRole("link", { name: "Choose whose charts are shown" }).click();
  await expect(page.getByText("You have chosen TradingView's widgets")).toBeVisible();
  await page.getByRole("button", { name: "Show this site's own" }).click();
  await expect(page.getByText("You have chosen this site's own")).toBeVisible();
  const before = product.provider.requests.length;
  await readToTheEnd(page, "/account/dashboard");
  await readToTheEnd(page, "/");
  await expect(page.locator('[data-price="BTC"]').first()).toBeVisible();
  expect(product.provider.requests).toHaveLength(before);
});
