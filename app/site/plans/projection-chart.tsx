import { useId } from "react";
import { withMinus } from "#app/ui/with-minus.ts";
import type { Projection } from "#core/mining/project-plan.ts";
import { formatUsdMicros } from "#core/money.ts";
import styles from "./plans.module.css";

const [width, height, left, bottom, top] = [640, 240, 8, 26, 24];

/**
 * How each result comes about, day by day: from the price paid, upwards or downwards. The reader's own assumptions are
 * drawn in metal, the others thin. The table beside it has the figures.
 */
export function ProjectionChart({
  own,
  others,
}: {
  own: Projection;
  others: readonly Projection[];
}) {
  const titleId = useId();
  const all = [own, ...others].flatMap(({ path }) => path.map((point) => point.netUsdMicros));
  const most = all.reduce((a, b) => (a > b ? a : b), 0n);
  const least = all.reduce((a, b) => (a < b ? a : b), 0n);
  const span = most - least || 1n;
  const lastDay = Math.max(own.days, ...others.map(({ days }) => days));
  const x = (day: number) => left + (day / lastDay) * (width - 2 * left);
  const y = (net: bigint) =>
    top + (Number(((most - net) * 10_000n) / span) / 10_000) * (height - top - bottom);
  const line = ({ path }: Projection) =>
    path.map(({ day, netUsdMicros }, index) => {
      const point = `${x(day).toFixed(1)} ${y(netUsdMicros).toFixed(1)}`;
      return `${index === 0 ? "M" : "L"}${point}`;
    });
  const end = own.path.at(-1);
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={titleId}>
        <title id={titleId}>
          {`With your assumptions the result goes from ${withMinus(formatUsdMicros(own.path[0]?.netUsdMicros ?? 0n))} on the first day to ${withMinus(formatUsdMicros(own.netUsdMicros))} after ${own.days} days.`}
        </title>
        <path className={styles.zero} d={`M${left} ${y(0n).toFixed(1)}H${width - left}`} />
        {others.map((other) => (
          <path key={line(other).join("")} className={styles.other} d={line(other).join("")} />
        ))}
        <path className={styles.own} d={line(own).join("")} />
        {end ? (
          <circle className={styles.dot} cx={x(end.day)} cy={y(end.netUsdMicros)} r="4" />
        ) : null}
        <text className={styles.tick} x={left} y={y(0n) - 5}>
          break-even
        </text>
        <text className={styles.tick} x={left} y={height - 6}>
          first day
        </text>
        <text className={styles.tick} x={width - left} y={height - 6} textAnchor="end">
          day {lastDay}
        </text>
      </svg>
      <figcaption>
        What was mined, less maintenance, less the price, day by day. The strong line is yours, the
        thin ones are the other rows of the table.
      </figcaption>
    </figure>
  );
}
