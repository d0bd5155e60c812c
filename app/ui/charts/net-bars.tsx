import { formatAmount } from "#core/money.ts";
import { formatDay } from "#core/utc-day.ts";
import { withMinus } from "../figures/with-minus.ts";
import { lineThrough } from "./line-through.ts";
import styles from "./net-bars.module.css";

interface NetBarsProps {
  /** UTC days, oldest first. */
  days: readonly string[];
  /** Mined less maintenance, of each of them. */
  netSats: readonly bigint[];
  /** What the network would have paid, less the same maintenance; null: not known. */
  referenceSats?: readonly (bigint | null)[];
}

const [width, height] = [720, 184];

/**
 * What each day brought net, as a bar above or below the line of nothing. The figures are in a table next to it. All gains are one
 * path and all losses another: the dashboard is the page that is asked for most. Where there is less room the drawing gets narrower
 * and not lower: its words stand next to it and keep their size.
 */
export function NetBars({ days, netSats: nets, referenceSats = [] }: NetBarsProps) {
  const values = [...nets, ...referenceSats.map((sats) => sats ?? 0n)];
  const most = values.reduce((a, b) => (b > a ? b : a), 0n);
  const least = values.reduce((a, b) => (b < a ? b : a), 0n);
  const span = most - least || 1n;
  const y = (sats: bigint) => (Number(((most - sats) * 10_000n) / span) / 10_000) * height;
  const step = width / Math.max(nets.length, 1);
  // A few days are apart instead of becoming slabs.
  const thick = 0.68 * Math.min(step, width / 12);
  const bar = (index: number, sats: bigint) => {
    const x = (index + 0.5) * step - thick / 2;
    // A day of next to nothing is seen too.
    const high = Math.max(1, Math.abs(y(sats) - y(0n))) * (sats < 0n ? 1 : -1);
    return `M${x.toFixed(1)} ${y(0n).toFixed(1)}v${high.toFixed(1)}h${thick.toFixed(1)}v${(-high).toFixed(1)}z`;
  };
  const bars = (isDrawn: (sats: bigint) => boolean) =>
    nets.map((sats, index) => (isDrawn(sats) ? bar(index, sats) : "")).join("");
  const [first = "", last = ""] = [days[0], days.at(-1)];
  return (
    <div className={styles.plot}>
      {most > 0n ? <span className={styles.tick}>{formatAmount(most, "BTC")} BTC</span> : null}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={labelOf(days, nets, referenceSats.length > 0)}
      >
        <path className={styles.gain} d={bars((sats) => sats >= 0n)} />
        <path className={styles.loss} d={bars((sats) => sats < 0n)} />
        <path className={styles.axis} d={`M0 ${y(0n).toFixed(1)}H${width}`} />
        <path
          className={styles.reference}
          d={lineThrough(
            referenceSats,
            (sats, index) => `${((index + 0.5) * step).toFixed(1)} ${y(sats).toFixed(1)}`,
          )}
        />
      </svg>
      {least < 0n ? (
        <span className={styles.tick}>{withMinus(formatAmount(least, "BTC"))} BTC</span>
      ) : null}
      <span className={`${styles.tick} ${styles.ends}`} aria-hidden="true">
        <span>{first === last ? "" : formatDay(first)}</span>
        <span>{formatDay(last)} (UTC)</span>
      </span>
    </div>
  );
}

function labelOf(days: readonly string[], nets: readonly bigint[], hasLine: boolean): string {
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const best = nets.reduce((a, b) => (b > a ? b : a), nets[0] ?? 0n);
  const losses = nets.filter((net) => net < 0n).length;
  return [
    `Net earnings of ${days.length === 1 ? `1 day, ${formatDay(first)}` : `${days.length} days from ${formatDay(first)} to ${formatDay(last)}`}`,
    `, at most ${withMinus(formatAmount(best, "BTC"))} BTC a day; ${losses === 0 ? "no day lost" : `${losses} of them lost`}.`,
    hasLine ? " The line is what the network would have paid, less maintenance." : "",
    " The figures are in the table below.",
  ].join("");
}
