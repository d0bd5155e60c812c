import { followPrices, type ReceivedPrices } from "./follow-prices.ts";
import { dayChangeWords, priceNote, priceState, pricesStatus } from "./price-words.ts";

const tickMs = 1_000;

/** How old each asset's price was, and at which moment of the page's clock. */
type Ages = Map<string, { ageMs: number; atMs: number }>;

/**
 * Keeps the prices below `root` as they are now: figures from the server's events, ages by the clock. Finds them
 * as `price-figure.tsx` and whoever says `data-prices-status` left them; of one that is next to its evidence
 * (`data-still`) only the age goes on. Returns how to stop.
 */
export function keepPricesLive(root: ParentNode): () => void {
  const all = [...root.querySelectorAll<HTMLElement>("[data-price]")];
  if (all.length === 0) return () => {};
  const still = all.filter(({ dataset }) => dataset["still"] !== undefined);
  const figures = all.filter((figure) => !still.includes(figure));
  const ages = agesAsSent(figures);
  const stillAges = agesAsSent(still);
  const tick = () => {
    showAges(figures, ages);
    showAges(still, stillAges);
    showStatus(root, ages);
  };
  const timer = setInterval(tick, tickMs);
  const unfollow = followPrices((received) => {
    show(figures, ages, received);
    sayIfSimulated(root, received);
    tick();
  });
  return () => {
    clearInterval(timer);
    unfollow();
  };
}

/**
 * The ages that the server wrote into the page count from when it was asked for. A cached page may have stood in
 * for one that could not be made, so where the reader's own clock knows of a greater age, that one counts.
 */
function agesAsSent(figures: HTMLElement[]): Ages {
  const sent: Ages = new Map();
  const [nowMs, openMs] = [Date.now(), performance.now()];
  for (const { dataset } of figures) {
    const { price = "", ageMs, observedAt } = dataset;
    if (!ageMs || !observedAt) continue;
    const byOwnClock = nowMs - Date.parse(observedAt) - openMs;
    sent.set(price, { ageMs: Math.max(Number(ageMs), byOwnClock), atMs: 0 });
  }
  return sent;
}

function show(figures: HTMLElement[], ages: Ages, { prices, receivedAtMs }: ReceivedPrices): void {
  for (const price of prices) {
    ages.set(price.asset, { ageMs: price.ageMs, atMs: receivedAtMs });
    for (const figure of figures) {
      if (figure.dataset["price"] !== price.asset) continue;
      write(part(figure, "shown"), price.shown);
      const { tone, text } = dayChangeWords(price.change24h);
      const change = part(figure, "change");
      write(change, text);
      if (change) change.dataset["tone"] = tone;
    }
  }
}

/** A page that was made before the first price came could not say it yet. */
function sayIfSimulated(root: ParentNode, { prices }: ReceivedPrices): void {
  const simulated = prices.some((price) => price.simulated);
  for (const word of root.querySelectorAll<HTMLElement>("[data-simulated]")) {
    write(word, simulated ? "Simulated" : (word.dataset["otherwise"] ?? ""));
    word.dataset["simulated"] = String(simulated);
  }
}

function ageOf(asset: string, ages: Ages): number | null {
  const known = ages.get(asset);
  return known ? known.ageMs + performance.now() - known.atMs : null;
}

function showAges(figures: HTMLElement[], ages: Ages): void {
  for (const figure of figures) {
    const ageMs = ageOf(figure.dataset["price"] ?? "", ages);
    figure.dataset["state"] = priceState(ageMs);
    write(part(figure, "note"), priceNote(ageMs));
  }
}

function showStatus(root: ParentNode, ages: Ages): void {
  const all = [...ages.keys()].map((asset) => ageOf(asset, ages) ?? 0);
  const newest = all.length === 0 ? null : Math.min(...all);
  for (const status of root.querySelectorAll<HTMLElement>("[data-prices-status]")) {
    write(status, pricesStatus(newest));
    status.dataset["pricesStatus"] = priceState(newest);
  }
}

function part(figure: HTMLElement, name: string): HTMLElement | null {
  return figure.querySelector<HTMLElement>(`[data-part="${name}"]`);
}

/** Only what changed is written, so that nothing is laid out anew every second. */
function write(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}
