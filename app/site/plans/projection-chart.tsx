import { useId } from "react";
import { withMinus } from "#app/ui/figures/with-minus.ts";
import { usdMicros } from "#core/mining/maintenance.ts";
import type { ProjectedPurchase, Projection } from "#core/mining/project-plan.ts";
import { formatUsdMicros } from "#core/money.ts";
import styles from "./projection-chart.module.css";

const [width, height, bottom, top] = [640, 280, 30, 26];

interface ProjectionChartProps {
  purchase: ProjectedPurchase;
  own: Projection;
  others: readonly Projection[];
}

/**
 * How each result comes about, day by day: from the price paid, upwards or downwards, next to the same money in bitcoin. The
 * table on the page has the figures.
 */
export function ProjectionChart({ purchase, own, others }: ProjectionChartProps) {
  const titleId = useId();
  const instead = [
    { day: 0, netUsdMicros: 0n },
    { day: own.days, netUsdMicros: insteadNet(purchase, own) },
  ];
  const paths = [own.path, instead, ...others.map(({ path }) => path)];
  const nets = paths.flat().map(({ netUsdMicros }) => Number(netUsdMicros) / 1e6);
  const ticks = ticksOf(Math.min(0, ...nets), Math.max(0, ...nets));
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)];
  const lastDay = Math.max(own.days, ...others.map(({ days }) => days));
  const x = (day: number) => (day / lastDay) * width;
  const y = (dollars: number) =>
    top + ((most - dollars) / (most - least)) * (height - top - bottom);
  const line = (path: Projection["path"]) =>
    path
      .map(({ day, netUsdMicros }, index) => {
        const point = `${x(day).toFixed(1)} ${y(Number(netUsdMicros) / 1e6).toFixed(1)}`;
        return `${index === 0 ? "M" : "L"}${point}`;
      })
      .join("");
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={titleId}>
        <title id={titleId}>
          {`With your assumptions the result goes from ${words(own.path[0]?.netUsdMicros ?? 0n)} on the first day to ${words(own.netUsdMicros)} after ${own.days} days. The same money in bitcoin: ${words(instead[1]?.netUsdMicros ?? 0n)}.`}
        </title>
        {ticks.map((tick) => (
          <path
            key={tick}
            className={tick === 0 ? styles.zero : styles.grid}
            d={`M0 ${y(tick)}H${width}`}
          />
        ))}
        {others.map(({ path }) => (
          <path key={line(path)} className={styles.other} d={line(path)} />
        ))}
        <path className={styles.instead} d={line(instead)} />
        <path className={styles.own} d={line(own.path)} />
        {ticks.map((tick) => (
          <text key={tick} className={styles.tick} x="0" y={y(tick) - 5}>
            {tick === 0 ? "$0, break-even" : dollarsOf(tick)}
          </text>
        ))}
        <text className={styles.tick} x="0" y={height - 6}>
          first day
        </text>
        <text className={styles.tick} x={width} y={height - 6} textAnchor="end">
          day {lastDay}
        </text>
      </svg>
      <figcaption className={styles.legend}>
        <Key line={styles.own}>Your assumptions</Key>
        <Key line={styles.instead}>Buying bitcoin instead</Key>
        <Key line={styles.other}>The scenarios of the table</Key>
      </figcaption>
    </figure>
  );
}

function Key({ line, children }: { line: string | undefined; children: string }) {
  return (
    <span className={styles.key}>
      <svg viewBox="0 0 24 8" aria-hidden="true">
        <path className={line} d="M0 4h24" />
      </svg>
      {children}
    </span>
  );
}

/** What the same price in bitcoin, bought on the first day, would have gained or lost on the last. */
export function insteadNet({ priceUsdCents }: ProjectedPurchase, own: Projection): bigint {
  return usdMicros(own.insteadSats, own.endBtcUsdE8) - priceUsdCents * 10_000n;
}

function words(micros: bigint): string {
  return withMinus(formatUsdMicros(micros));
}

/** Four or five round values from below the least to above the most. */
function ticksOf(least: number, most: number): number[] {
  const rough = Math.max(most - least, 0.04) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((each) => each * power >= rough) ?? 10) * power;
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

function dollarsOf(tick: number): string {
  const places = Math.abs(tick) < 10 && !Number.isInteger(tick) ? 2 : 0;
  const size = Math.abs(tick).toLocaleString("en-US", {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return `${tick < 0 ? "\u2212" : "+"}$${size}`;
}
