import { withMinus } from "#app/ui/figures/with-minus.ts";
import { formatAmount } from "#core/money.ts";
import { formatDay } from "#core/utc-day.ts";
import styles from "./mining-panel.module.css";

interface EarningsBarsProps {
  /** Oldest first. */
  days: readonly string[];
  /** Of each of them. */
  netSats: readonly bigint[];
}

const [width, height] = [360, 112];

/**
 * Mined less maintenance of each UTC day, a bar above or below the line of nothing, and its figures in a table. All gains are one
 * path and all losses another: the dashboard is the page that is asked for most.
 */
export function EarningsBars({ days, netSats: nets }: EarningsBarsProps) {
  const most = nets.reduce((a, b) => (b > a ? b : a), 0n);
  const least = nets.reduce((a, b) => (b < a ? b : a), 0n);
  const losses = nets.filter((net) => net < 0n).length;
  const first = days[0] ?? "";
  const last = days.at(-1) ?? "";
  const { gains, lost, zero } = draw(nets, most, least);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.label}>Mined less maintenance, by UTC day</figcaption>
      <div className={styles.plot}>
        {most > 0n ? <span className={styles.tick}>{formatAmount(most, "BTC")} BTC</span> : null}
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${days.length === 1 ? "1 day" : `${days.length} days`} to ${formatDay(last)}: ${losses === 0 ? "no day lost" : `${losses} of them lost`}. The figures are in the table below.`}
        >
          <path className={styles.gain} d={gains} />
          <path className={styles.loss} d={lost} />
          <path className={styles.axis} d={`M0 ${zero}H${width}`} />
        </svg>
        {least < 0n ? (
          <span className={styles.tick}>{withMinus(formatAmount(least, "BTC"))} BTC</span>
        ) : null}
      </div>
      <p className={styles.ends} aria-hidden="true">
        <span>{first === last ? "" : formatDay(first)}</span>
        <span>{formatDay(last)}</span>
      </p>
      <details className={styles.behind}>
        <summary>Figures by day</summary>
        <div className={styles.sheet}>
          <table>
            <thead>
              <tr>
                <th scope="col">UTC day</th>
                <th scope="col">Net, BTC</th>
              </tr>
            </thead>
            <tbody>
              {days.map((day, at) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td>{withMinus(formatAmount(nets[at] ?? 0n, "BTC"))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

function draw(nets: readonly bigint[], most: bigint, least: bigint) {
  const span = most - least || 1n;
  const y = (sats: bigint) => (Number(((most - sats) * 10_000n) / span) / 10_000) * height;
  const zero = y(0n).toFixed(1);
  // Few days are apart instead of becoming slabs.
  const step = width / Math.max(nets.length, 12);
  const bar = (0.68 * step).toFixed(1);
  let [gains, lost] = ["", ""];
  for (const [index, net] of nets.entries()) {
    const shape = `M${(index * step + 0.16 * step).toFixed(1)} ${zero}V${y(net).toFixed(1)}h${bar}V${zero}z`;
    if (net < 0n) lost += shape;
    else gains += shape;
  }
  return { gains, lost, zero };
}
