import { expect, expectAccessible, newEmail, signUp, test as unpriced } from "./journey.ts";
import { test, untilPriced, watchShifts } from "./market-product.ts";

// They share one product.
test.describe.configure({ mode: "default" });

test("the tape tells prices by the server, then live, and nothing on the page moves", async ({
  page,
  product,
}) => {
  const shifts = await watchShifts(page);
  await untilPriced(page);
  const bitcoin = page.locator('[data-price="BTC"]').first();
  await expect(bitcoin).toContainText("BTC");
  await expect(bitcoin).toContainText("$91,234.50");
  await expect(page.locator("[data-prices-status]").first()).toContainText(/\d+ s ago/);
  // Where none of the faces is installed that ours have stand-ins for, text moves when they come. That is another matter.
  await page.evaluate(() => document.fonts.ready);
  const before = await shifts.count();
  product.exchange.setPrice("BTC", "91500.25");
  await expect(bitcoin).toContainText("$91,500.25");
  await shifts.expectSteady(before);
  product.exchange.setPrice("BTC", "91234.5");
});

test("a price's stamp leads to who said what, and to whose word was left out", async ({
  page,
  product,
}) => {
  product.exchange.set("kraken", { factor: 1.5 });
  await expect(async () => {
    await page.goto("/prices");
    await expect(page.locator("#ETH")).toContainText("too far from the others", { timeout: 1_000 });
  }).toPass();
  await page.goto("/");
  await page.locator('[data-price="ETH"]').first().focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/prices#ETH$/);
  const ether = page.locator("#ETH");
  await expect(ether.getByRole("row", { name: /Kraken/ })).toContainText("50.000% above");
  await expect(ether.getByRole("row", { name: /Bitstamp/ })).toContainText("In the median");
  await expect(ether).toContainText("the median of 2 exchanges that agree");
  await expectAccessible(page);
  product.exchange.set("kraken");
});

test("the tape rests by a button, and stands still for who wants less motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.setViewportSize({ width: 800, height: 700 });
  // Before any of the page's files has run, as on a slow line.
  await page.route("**/*.js", (route) => route.fulfill({ contentType: "text/javascript" }));
  await untilPriced(page);
  const playing = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((each) => each instanceof CSSAnimation && each.animationName.includes("pass"))
        .map(({ playState }) => playState),
    );
  expect(await playing()).toEqual(["running"]);
  await page.getByRole("checkbox", { name: "Pause the prices" }).press("Space");
  expect(await playing()).toEqual(["paused"]);
  await page.goto("/faq");
  expect(await playing(), "the next page remembers it").toEqual(["paused"]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await playing()).toEqual([]);
});

test("prices, their ages and their evidence can be read without JavaScript", async ({
  browser,
  page,
  product,
}) => {
  await untilPriced(page);
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url });
  const plain = await context.newPage();
  // Coins are priced one after the other, and the page is kept for some seconds.
  await expect(async () => {
    await plain.goto("/prices");
    await expect(plain.locator('[data-price="SOL"]').first()).toContainText("$140.55", {
      timeout: 1_000,
    });
  }).toPass();
  await plain.getByRole("navigation", { name: "Coin" }).getByText("Ether").click();
  await expect(plain).toHaveURL(/\/prices\?coin=ETH&range=12M#overview$/);
  await expect(plain.locator("[data-overview-sentence]")).toContainText("Ether over 12 months");
  await plain.getByText("Monthly figures").click();
  await expect(plain.getByRole("columnheader", { name: "Highest" })).toBeVisible();
  await context.close();
});

test("the dashboard's overview is 700 px high, light, of 12 months, and follows the reader", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await untilPriced(page);
  const shifts = await watchShifts(page);
  await signUp(page, newEmail());
  await page.goto("/account/dashboard");
  const overview = page.getByRole("region", { name: "Market overview" });
  await overview.scrollIntoViewIfNeeded();
  await expect(overview.locator("canvas").first()).toBeVisible();
  expect((await overview.boundingBox())?.height).toBe(700);
  await expect(overview).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await expect(overview.getByRole("link", { name: "12M" })).toHaveAttribute("aria-current");
  await expect(overview.locator("[data-overview-sentence]")).toContainText(
    /Bitcoin over 12 months.*higher/,
  );
  await expect(overview.getByRole("link", { name: "TradingView" })).toBeVisible();

  await overview.getByRole("link", { name: "Dogecoin" }).press("Enter");
  await expect(overview.locator("[data-overview-sentence]")).toContainText("Dogecoin over 12");
  await overview.getByRole("link", { name: "3M" }).press("Enter");
  await expect(overview.locator("[data-overview-sentence]")).toContainText("Dogecoin over 3");
  await expect(page, "chosen without leaving the page").toHaveURL(/\/account\/dashboard$/);
  await overview.getByText("Monthly figures").click();
  expect(await overview.getByRole("row").count()).toBeGreaterThan(3);
  await expectAccessible(page);
  await overview.getByText("Monthly figures").click();

  await overview.getByRole("button", { name: "Dark chart" }).click();
  await expect(overview).not.toHaveCSS("background-color", "rgb(255, 255, 255)");
  await page.reload();
  await expect(overview.getByRole("button", { name: "Light chart" })).toBeVisible();
  expect((await overview.boundingBox())?.height).toBe(700);
  await shifts.expectSteady();
});

unpriced(
  "the dashboard's overview keeps its 700 px when there is no history of prices",
  async ({ page }) => {
    await signUp(page, newEmail());
    await page.goto("/account/dashboard");
    const overview = page.getByRole("region", { name: "Market overview" });
    await overview.scrollIntoViewIfNeeded();
    await expect(overview).toHaveAttribute("data-empty", "");
    expect((await overview.boundingBox())?.height).toBe(700);
    await page.setViewportSize({ width: 360, height: 800 });
    expect((await overview.boundingBox())?.height).toBe(700);
    await expectAccessible(page);
  },
);

test("the landing page fetches no chart, and the prices' chart comes without moving the page", async ({
  page,
}) => {
  await untilPriced(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  const forCharts = () => asked.filter((path) => /market\/candles|draw-chart/.test(path));
  expect(forCharts()).toEqual([]);
  const shifts = await watchShifts(page);
  await page.goto("/prices");
  await page.getByRole("region", { name: "Market overview" }).scrollIntoViewIfNeeded();
  await expect(page.locator("[data-overview] canvas").first()).toBeVisible();
  expect(forCharts().length).toBeGreaterThanOrEqual(2);
  await shifts.expectSteady();
});

test("a price that grows too old on an open page says so, and what it valued is valued no more", async ({
  page,
}) => {
  await untilPriced(page);
  await signUp(page, newEmail());
  await page.clock.install();
  await page.route("**/events/prices", (route) => route.fulfill({ status: 204 }));
  await page.goto("/account/dashboard");
  const ether = page.getByRole("row", { name: /^Ether/ });
  await expect(ether).toContainText("$0.00");
  await page.clock.fastForward(11 * 60_000);
  await expect(page.locator('[data-price="BTC"]').first()).toHaveAttribute("data-state", "old");
  await expect(page.locator("[data-prices-status]").first()).toContainText("too old: 11 min");
  await expect(ether).toContainText("no value");
  await expect(ether).toContainText("price 11 min ago");
});

unpriced(
  "without an exchange the pages say that prices are unavailable, and invent none",
  async ({ page }) => {
    await page.goto("/");
    const tape = page.getByRole("complementary", { name: "Prices" });
    await expect(tape).toContainText("unavailable");
    await expect(tape).not.toContainText("$");
    await page.goto("/prices");
    await expect(page.locator("[data-overview-sentence]")).toContainText("no price history");
    // Nothing was measured: there is no blank chart, with a script either.
    await expect(page.locator("[data-overview-chart]")).toBeHidden();
    await expect(page.locator("#BTC")).toContainText("there is no price");
    await signUp(page, newEmail());
    await expect(page.getByRole("row", { name: /^Bitcoin/ })).toContainText("no value");
    await expectAccessible(page);
  },
);
