import {
  type DayFigures,
  deriveOverview,
  inRange,
  type Range,
  rangeLabels,
} from "#core/markets/market-overview.ts";
import { isPricedAsset, type PricedAsset } from "#core/price.ts";
import type { ChartPoint, DrawnChart } from "./draw-chart.ts";
import { type FetchedDays, fetchDays } from "./fetch-days.ts";
import { followPrices, type ReceivedPrices } from "./follow-prices.ts";
import { markChosen, markSimulated, noHistory, speakFrom, writeFigures } from "./overview-parts.ts";
import { keepScheme, keptScheme, type Scheme, wearScheme } from "./overview-scheme.ts";

/**
 * Makes an overview move once it comes into view: draws the chart over the server's line, follows the choice of
 * coin and range without leaving the page, and the price as it changes. Returns how to stop.
 */
export function mountOverview(root: HTMLElement): () => void {
  const overview = new Overview(root);
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    seen.disconnect();
    void overview.begin();
  });
  seen.observe(root);
  return () => {
    seen.disconnect();
    overview.end();
  };
}

class Overview {
  readonly #root: HTMLElement;
  readonly #days = new Map<PricedAsset, Promise<FetchedDays>>();
  #chart: DrawnChart | null = null;
  #unfollow: () => void = () => {};
  #ended = false;
  /** Whose line is there: at first the server's. */
  #drawn: PricedAsset;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#drawn = this.#asset;
  }

  async begin(): Promise<void> {
    this.#root.addEventListener("click", this.#choose);
    this.#wear(keptScheme());
    await this.#show();
    this.#unfollow = followPrices((received) => this.#follow(received));
    if (this.#ended) this.end();
  }

  end(): void {
    this.#ended = true;
    this.#root.removeEventListener("click", this.#choose);
    this.#unfollow();
    this.#chart?.remove();
    this.#chart = null;
  }

  get #asset(): PricedAsset {
    const asset = this.#root.dataset["overview"] ?? "";
    return isPricedAsset(asset) ? asset : "BTC";
  }

  get #range(): Range {
    return rangeLabels.find((range) => range === this.#root.dataset["range"]) ?? "12M";
  }

  readonly #choose = (event: MouseEvent): void => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    if (event.target.closest("[data-overview-theme]")) this.#turn();
    const link = event.target.closest<HTMLElement>("[data-overview-choice]");
    const value = link?.dataset["value"];
    if (!link || !value) return;
    event.preventDefault();
    if (link.dataset["overviewChoice"] === "asset") this.#root.dataset["overview"] = value;
    else this.#root.dataset["range"] = value;
    markChosen(this.#root, { asset: this.#asset, range: this.#range });
    speakFrom(this.#root);
    void this.#show();
  };

  /** Draws what is chosen now. Where its figures cannot be fetched no line of another coin is left standing. */
  async #show(): Promise<void> {
    const [asset, range] = [this.#asset, this.#range];
    this.#root.ariaBusy = String(asset !== this.#drawn);
    try {
      const { days, simulated } = await this.#fetchDays(asset);
      const figures = deriveOverview({ asset, range }, days);
      if (figures) this.#chart ??= await this.#draw();
      if (this.#ended || asset !== this.#asset || range !== this.#range) return;
      this.#root.toggleAttribute("data-empty", figures === null);
      writeFigures(this.#root, figures?.sentence ?? noHistory, figures?.months ?? []);
      markSimulated(this.#root, simulated);
      this.#chart?.show(figures ? inRange(days, range).map(asPoint) : []);
      this.#drawn = asset;
    } catch {
      this.#days.delete(asset);
      if (asset === this.#asset) this.#sayUnreachable();
    }
    if (asset === this.#asset) this.#root.ariaBusy = "false";
  }

  #sayUnreachable(): void {
    const isOfAnother = this.#drawn !== this.#asset;
    writeFigures(this.#root, unreachable, isOfAnother ? [] : null);
    if (!isOfAnother) return;
    if (this.#chart) this.#chart.show([]);
    else this.#place()?.replaceChildren();
  }

  #fetchDays(asset: PricedAsset): Promise<FetchedDays> {
    const days = this.#days.get(asset) ?? fetchDays(asset);
    this.#days.set(asset, days);
    return days;
  }

  async #draw(): Promise<DrawnChart | null> {
    const place = this.#place();
    const { drawChart } = await import("./draw-chart.ts");
    if (!place || this.#ended || this.#chart) return this.#chart;
    place.replaceChildren();
    return drawChart(place);
  }

  #place(): HTMLElement | null {
    return this.#root.querySelector<HTMLElement>("[data-overview-chart]");
  }

  /** Today's point moves with the price, as long as that is fresh. */
  #follow({ prices }: ReceivedPrices): void {
    const price = prices.find(({ asset }) => asset === this.#asset);
    if (!price?.fresh) return;
    void this.#days.get(this.#asset)?.then(({ days }) => {
      const time = price.observedAt.slice(0, 10);
      if (time >= (days.at(-1)?.day ?? "9999")) {
        this.#chart?.update({ time, value: Number(price.usd) });
      }
    });
  }

  #turn(): void {
    const scheme: Scheme = this.#root.dataset["scheme"] === "dark" ? "light" : "dark";
    keepScheme(scheme);
    this.#wear(scheme);
  }

  #wear(scheme: Scheme): void {
    wearScheme(this.#root, scheme);
    this.#chart?.recolour();
  }
}

const unreachable = "The figures could not be fetched. Choose again to try once more.";

function asPoint({ day, closeUsdE8 }: DayFigures): ChartPoint {
  return { time: day, value: Number(closeUsdE8) / 1e8 };
}
