import { Link } from "react-router";
import { withMinus } from "#app/ui/figures/with-minus.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import { breakEvenWords, resultWords, ScenarioTable } from "#app/ui/tables/scenario-table.tsx";
import {
  type PlanOutlook as Outlook,
  type OutlookTerms,
  outlookOf,
} from "#core/mining/plan-outlook.ts";
import type { ProjectedStart } from "#core/mining/project-plan.ts";
import { formatUsd, formatUsdMicros } from "#core/money.ts";
import { formatPrice } from "#core/price.ts";
import styles from "./plan.module.css";

/** Today's price and network. */
export type OutlookStart = ProjectedStart & { subsidySats: bigint };

interface OutlookProps {
  terms: OutlookTerms;
  /** Null: there is no fresh price, or nothing fresh of the network. */
  start: OutlookStart | null;
}

/** What the plans' page says below a plan's terms: what the network pays, and what the scenarios come to. */
export function PlanOutlook({ terms, start, warns }: OutlookProps & { warns: boolean }) {
  if (!start) {
    return (
      <p className={styles.second}>
        The plans' page also shows what one unit comes to in five scenarios. That needs a fresh
        price and the network's difficulty: see <Link to="/operator/markets">Markets</Link>.
      </p>
    );
  }
  const outlook = outlookOf(terms, start);
  return (
    <div className={styles.outlook}>
      <p>
        One TH/s costs {formatUsdMicros(outlook.costPerThsDay, 4)} a day, price and maintenance
        together. The network pays{" "}
        <strong>{formatUsdMicros(outlook.networkPaysPerThsDay, 4)}</strong> for it today, with
        bitcoin at {formatPrice(start.btcUsdE8)}.
      </p>
      {warns ? <LossWarning outlook={outlook} /> : null}
      <h4>What one unit comes to</h4>
      <ScenarioTable label="Scenarios, the worst first" results={outlook.results} />
    </div>
  );
}

/** The same while one types: the three figures that decide. */
export function OutlookInShort({ terms, start }: { terms: OutlookTerms; start: OutlookStart }) {
  const outlook = outlookOf(terms, start);
  const best = outlook.results.at(-1);
  return (
    <section className={styles.short} aria-label="What customers will see">
      <div>
        <span>Costs per TH/s and day</span>
        <output>{formatUsdMicros(outlook.costPerThsDay, 4)}</output>
      </div>
      <div>
        <span>The network pays today</span>
        <output>{formatUsdMicros(outlook.networkPaysPerThsDay, 4)}</output>
      </div>
      {best ? (
        <div>
          <span>Best of five scenarios, one unit</span>
          <output>
            {resultWords(best.projection.netUsdMicros)}, break-even{" "}
            {breakEvenWords(best.projection)}
          </output>
        </div>
      ) : null}
      <LossWarning outlook={outlook} />
    </section>
  );
}

function LossWarning({ outlook }: { outlook: Outlook }) {
  if (!outlook.allLose) return null;
  const { results, priceThatBreaksEvenCents: most } = outlook;
  const [worst, best] = [results[0], results.at(-1)];
  if (!worst || !best) return null;
  return (
    <Notice tone="warning" title="A loss for customers in every scenario">
      A unit ends between <span className={styles.whole}>{inDollars(worst)}</span> and{" "}
      <span className={styles.whole}>{inDollars(best)}</span>. Customers read this on the plans'
      page.{" "}
      {most > 0n
        ? `If nothing changed, a unit would break even at ${formatUsd(most)}.`
        : "No price breaks even: maintenance alone costs at least what the network pays."}
    </Notice>
  );
}

function inDollars({ projection }: Outlook["results"][number]): string {
  return withMinus(formatUsdMicros(projection.netUsdMicros));
}
