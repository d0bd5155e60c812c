import type { Page } from "@playwright/test";
import { type FakeExchange, startFakeExchange } from "../fakes/exchange.ts";
import { startWidgetProvider, type WidgetProvider } from "../fakes/widget-script.ts";
import { type RunningProduct, runProduct } from "../setup/run-product.ts";
import { testTimeoutMs } from "../setup/slowness.ts";
import { expect, test as journey } from "./journey.ts";

interface MarketProduct extends RunningProduct {
  exchange: FakeExchange;
  provider: WidgetProvider;
}

/**
 * Journeys on a product of their own, whose exchanges are the test's and whose operator has switched the
 * provider's widgets on; another server stands in for the provider.
 */
export const test = journey.extend<object, { product: MarketProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
    async ({}, use) => {
      const exchange = await startFakeExchange();
      fillYear(exchange);
      const provider = await startWidgetProvider();
      const product = await runProduct({
        ...exchange.env,
        PRICE_POLL_SECONDS: "5",
        EMBEDDED_WIDGETS: "ticker-tape,tickers,market-overview,timeline",
        EMBEDDED_WIDGETS_STAND_IN: provider.url,
      });
      await use({ ...product, exchange, provider });
      await product.stop();
      await provider.stop();
      await exchange.stop();
    },
    { scope: "worker", timeout: testTimeoutMs },
  ],
  place: async ({ product }, use) => {
    await use(product);
  },
});

/** A year in which every coin doubles, day by day. */
function fillYear(exchange: FakeExchange): void {
  const now = { BTC: 91_234.5, ETH: 3_123.45, XRP: 2.1234, DOGE: 0.16012, SOL: 140.55 };
  for (const [asset, price] of Object.entries(now)) {
    for (let ago = 1; ago <= 420; ago++) {
      const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
      const close = price * (1 - ago / 840);
      exchange.setDay(asset as keyof typeof now, day, {
        open: (close * 0.999).toFixed(6),
        high: (close * 1.01).toFixed(6),
        low: (close * 0.99).toFixed(6),
        close: close.toFixed(6),
      });
    }
  }
}

/** Reloads until the exchanges' first answers about every coin stand in the page: the worker asks them after the start. */
export async function untilPriced(page: Page, path = "/"): Promise<void> {
  const fresh = page.locator('[data-price][data-state="fresh"]');
  await expect(async () => {
    await page.goto(path);
    await expect(fresh.first()).toBeVisible({ timeout: 1_000 });
    await expect(page.locator('[data-price]:not([data-state="fresh"])')).toHaveCount(0, {
      timeout: 1_000,
    });
  }).toPass();
}

/** What a visitor would take for a page that moves. */
const steadyCls = 0.01;

interface Shift {
  value: number;
  /** What moved, as far as it is still there. */
  moved: string[];
}

/**
 * Notes every shift of the page's layout from now on, those after a click among them. `expectSteady` expects few, of
 * the document that is open then.
 */
export async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    (window as unknown as { shifts: Shift[] }).shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        const moved = entry.sources.map(({ node }) => (node as Element | null)?.outerHTML ?? "");
        shifts.push({ value: entry.value, moved: moved.map((html) => html.slice(0, 120)) });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  const shifts = () => page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  const count = async () => (await shifts()).length;
  const expectSteady = async (since = 0) => {
    const late = (await shifts()).slice(since);
    const sum = late.reduce((total, { value }) => total + value, 0);
    expect(sum, JSON.stringify(late)).toBeLessThanOrEqual(steadyCls);
  };
  return { count, expectSteady };
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null }[];
}
