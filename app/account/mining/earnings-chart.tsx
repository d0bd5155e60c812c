import { useId } from "react";
import { withMinus } from "#app/ui/figures/with-minus.ts";
import { formatAmount } from "#core/money.ts";
import { formatDay } from "#core/utc-day.ts";
import styles from "./mining.module.css";

export interface EarningsDay {
  day: string;
  /** Credited less maintenance. */
  netSats: bigint;
  /** What the network would have paid, less the same maintenance; null: not known. */
  referenceSats: bigint | null;
}

const [width, height] = [720, 184];

/**
 * What each day brought net, as a bar, next to what the network would have paid less the same maintenance, as a line. A day
 * that lost hangs below the line of nothing. The table behind it has the figures. Where there is less room the drawing gets
 * narrower and not lower: its words stand next to it and keep their size.
 */
export function EarningsChart({ days }: { days: readonly EarningsDay[] }) {
  const titleId = useId();
  const values = days.flatMap(({ netSats, referenceSats }) => [netSats, referenceSats ?? 0n]);
  const most = values.reduce((a, b) => (a > b ? a : b), 0n);
  const least = values.reduce((a, b) => (a < b ? a : b), 0n);
  const span = most - least || 1n;
  const y = (sats: bigint) => (Number(((most - sats) * 10_000n) / span) / 10_000) * height;
  const step = width / Math.max(days.length, 1);
  // A few days are apart instead of becoming slabs.
  const bar = 0.7 * Math.min(step, width / 12);
  const best = days.reduce((a, { netSats }) => (netSats > a ? netSats : a), days[0]?.netSats ?? 0n);
  const losses = days.filter(({ netSats }) => netSats < 0n).length;
  const dayAt = (place: number) => formatDay(days.at(place)?.day ?? "1970-01-01");
  let isOpen = false;
  const line = days
    .map(({ referenceSats }, index) => {
      if (referenceSats === null) {
        isOpen = false;
        return "";
      }
      const to = `${isOpen ? "L" : "M"}${(index * step + step / 2).toFixed(1)} ${y(referenceSats).toFixed(1)}`;
      isOpen = true;
      return to;
    })
    .join("");
  return (
    <div>
      <div className={styles.tick}>{formatAmount(most, "BTC")} BTC</div>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={titleId}
      >
        <title id={titleId}>
          {`Net earnings of ${days.length === 1 ? `1 day, ${dayAt(0)}` : `${days.length} days from ${dayAt(0)} to ${dayAt(-1)}`}, at most ${withMinus(formatAmount(best, "BTC"))} BTC a day; ${losses === 0 ? "no day lost" : `${losses} of them lost`}. The line is what the network would have paid, less maintenance.`}
        </title>
        {days.map(({ day, netSats }, index) => {
          const [from, to] = netSats >= 0n ? [y(netSats), y(0n)] : [y(0n), y(netSats)];
          return (
            <rect
              key={day}
              className={netSats < 0n ? styles.loss : styles.gain}
              x={(index * step + (step - bar) / 2).toFixed(1)}
              y={from.toFixed(1)}
              width={bar.toFixed(1)}
              height={Math.max(1, to - from).toFixed(1)}
            />
          );
        })}
        <path className={styles.axis} d={`M0 ${y(0n).toFixed(1)}H${width}`} />
        <path className={styles.reference} d={line} />
      </svg>
      {least < 0n ? (
        <div className={styles.tick}>{withMinus(formatAmount(least, "BTC"))} BTC</div>
      ) : null}
      <div className={`${styles.tick} ${styles.ends}`}>
        {days.length > 1 ? <span>{dayAt(0)}</span> : null}
        <span>{dayAt(-1)} (UTC)</span>
      </div>
    </div>
  );
}
