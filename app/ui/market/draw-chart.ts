import {
  AreaSeries,
  type ChartOptions,
  createChart,
  type DeepPartial,
  type IChartApi,
  LineStyle,
} from "lightweight-charts";
import { formatPrice, parseUsd } from "#core/price.ts";

export interface ChartPoint {
  /** UTC day, YYYY-MM-DD. */
  time: string;
  /** For drawing alone. */
  value: number;
}

export interface DrawnChart {
  show(points: ChartPoint[]): void;
  /** Draws the last day anew, or one more. */
  update(point: ChartPoint): void;
  /** Takes the colours of its place again. */
  recolour(): void;
  remove(): void;
}

/** Draws a line of prices into a place of the page and in its colours. It is as large as the place. */
export function drawChart(place: HTMLElement): DrawnChart {
  const chart = createChart(place, { ...layout, ...colours(place) });
  const series = chart.addSeries(AreaSeries, {
    ...lineColours(place),
    lineWidth: 2,
    lastValueVisible: false,
    priceLineVisible: false,
    priceFormat: { type: "custom", formatter: priceLabel, minMove: 0.0001 },
  });
  const last = series.createPriceLine({ price: 0, lineWidth: 1, ...lastColours(place) });
  hideFromReaders(chart);
  return {
    show(points) {
      series.setData(points);
      markLast(points.at(-1));
      chart.timeScale().fitContent();
    },
    update(point) {
      series.update(point);
      markLast(point);
    },
    recolour() {
      chart.applyOptions(colours(place));
      series.applyOptions(lineColours(place));
      last.applyOptions(lastColours(place));
    },
    remove: () => chart.remove(),
  };

  function markLast(point: ChartPoint | undefined): void {
    last.applyOptions({
      price: point?.value ?? 0,
      lineVisible: point !== undefined,
      axisLabelVisible: point !== undefined,
    });
  }
}

const layout: DeepPartial<ChartOptions> = {
  autoSize: true,
  // The page scrolls under the wheel and the finger; the chart does not keep them.
  handleScroll: { mouseWheel: false, vertTouchDrag: false },
  handleScale: { mouseWheel: false },
  rightPriceScale: { borderVisible: false },
  timeScale: { borderVisible: false, fixLeftEdge: true, fixRightEdge: true },
};

function colours(place: HTMLElement): DeepPartial<ChartOptions> {
  const of = tokens(place);
  const crosshair = { color: of("muted"), labelBackgroundColor: of("muted") };
  return {
    layout: {
      attributionLogo: false,
      background: { color: of("card") },
      textColor: of("muted"),
      fontFamily: getComputedStyle(place).fontFamily,
      fontSize: 12,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: of("hairline") } },
    crosshair: { vertLine: crosshair, horzLine: crosshair },
  };
}

function lineColours(place: HTMLElement) {
  const of = tokens(place);
  return {
    lineColor: of("copper"),
    topColor: of("copper-tint"),
    bottomColor: of("card"),
    crosshairMarkerBackgroundColor: of("copper"),
  };
}

/** The last price, marked on the axis in colours that can be read. */
function lastColours(place: HTMLElement) {
  const of = tokens(place);
  return {
    color: of("copper"),
    axisLabelColor: of("copper"),
    axisLabelTextColor: of("on-copper"),
    lineStyle: LineStyle.Dotted,
  };
}

/** The colours of the theme as they are in this place, whose scheme may be its own. */
function tokens(place: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = place.appendChild(document.createElement("i"));
    probe.style.color = `var(--assay-${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

/** On the axis; thousands without their cents. */
function priceLabel(value: number): string {
  const label = formatPrice(parseUsd(Math.max(value, 0).toFixed(8)) ?? 0n);
  return value >= 1000 ? label.replace(/\.\d\d$/, "") : label;
}

/** What the line shows is next to it as words and as a table. */
function hideFromReaders(chart: IChartApi): void {
  chart.chartElement().setAttribute("aria-hidden", "true");
}
