import { NetBars } from "#app/ui/charts/net-bars.tsx";
import { withMinus } from "#app/ui/figures/with-minus.ts";
import { formatAmount } from "#core/money.ts";
import styles from "./mining-panel.module.css";

interface EarningsBarsProps {
  /** Oldest first. */
  days: readonly string[];
  /** Of each of them. */
  netSats: readonly bigint[];
}

/** Mined less maintenance of each UTC day, as bars, and its figures in a table. */
export function EarningsBars({ days, netSats }: EarningsBarsProps) {
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.label}>Mined less maintenance, by UTC day</figcaption>
      <NetBars days={days} netSats={netSats} />
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
                  <td>{withMinus(formatAmount(netSats[at] ?? 0n, "BTC"))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
