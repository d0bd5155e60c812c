import { type ReactNode, useId } from "react";
import type { Stretch } from "#core/markets/market-overview.ts";
import {
  type OverviewFigures,
  type Range,
  rangeLabels,
  rangeNames,
} from "#core/markets/market-overview.ts";
import { assetNames, type PricedAsset, tapeAssets } from "#core/price.ts";
import styles from "./market-overview.module.css";
import { noHistory, overviewAddress } from "./overview-parts.ts";
import { changeWords } from "./price-words.ts";

export interface MarketOverviewProps {
  asset: PricedAsset;
  range: Range;
  /** Null: there is no history of this asset. */
  figures: OverviewFigures | null;
  simulated: boolean;
  /** `tall`: 700 px, as on the dashboard; `small`: as on the landing page. */
  size: "tall" | "small";
  /** The page that shows another coin or range where no script runs, by `coin` and `range` in its address. */
  page: string;
}

/**
 * An asset's price over the months: 12 months and light unless the reader wants another, with its figures as a
 * sentence and a table behind the line. As sent it stands without script; `mount-overview.ts` makes it move.
 */
export function MarketOverview(props: MarketOverviewProps) {
  const { asset, range, figures, simulated, size, page } = props;
  const titleId = useId();
  const sentenceId = useId();
  return (
    <section
      id="overview"
      className={`${styles.overview} ${size === "tall" ? styles.tall : styles.small}`}
      aria-labelledby={titleId}
      data-overview={asset}
      data-range={range}
      data-page={page}
      data-empty={figures ? undefined : ""}
    >
      <header className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          Market overview
        </h2>
        <strong className={styles.simulated} data-overview-simulated hidden={!simulated}>
          Simulated
        </strong>
        <button type="button" className={styles.theme} data-overview-theme hidden>
          Dark chart
        </button>
      </header>
      <Choice label="Coin" part="asset" chosen={asset}>
        {tapeAssets.map((each) => ({
          value: each,
          text: assetNames[each],
          href: overviewAddress(page, { asset: each, range }),
        }))}
      </Choice>
      <Choice label="Range" part="range" chosen={range}>
        {rangeLabels.map((each) => ({
          value: each,
          text: each,
          name: rangeNames[each],
          href: overviewAddress(page, { asset, range: each }),
        }))}
      </Choice>
      <p id={sentenceId} className={styles.sentence} data-overview-sentence>
        {figures?.sentence ?? noHistory}
      </p>
      <div className={styles.chart} role="img" aria-labelledby={sentenceId} data-overview-chart>
        {figures ? <Line path={figures.path} /> : null}
      </div>
      <footer className={styles.foot}>
        <p className={styles.source}>
          Days are UTC days. Chart software by{" "}
          <a href="https://www.tradingview.com/">TradingView</a>.
        </p>
        <details className={styles.months}>
          <summary>Monthly figures</summary>
          <div className={styles.sheet} tabIndex={-1}>
            <MonthsTable months={figures?.months ?? []} />
          </div>
        </details>
      </footer>
    </section>
  );
}

interface ChoiceProps {
  label: string;
  part: "asset" | "range";
  chosen: string;
  children: { value: string; text: string; name?: string; href: string }[];
}

function Choice({ label, part, chosen, children }: ChoiceProps): ReactNode {
  return (
    <nav className={`${styles.choice} ${styles[part]}`} aria-label={label}>
      {children.map(({ value, text, name, href }) => (
        <a
          key={value}
          href={href}
          aria-current={value === chosen ? "true" : undefined}
          title={name}
          data-overview-choice={part}
          data-value={value}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

/** The line as the server draws it, in the place and the colours of the chart that follows. */
function Line({ path }: { path: string }) {
  return (
    <svg
      className={styles.line}
      viewBox="0 0 1000 400"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.area} d={`${path}V400H0Z`} />
      <path d={path} />
    </svg>
  );
}

/** The figures behind the line, month by month. */
function MonthsTable({ months }: { months: Stretch[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {["Month", "Open", "Highest", "Lowest", "Close", "Change"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody data-overview-months>
        {months.map(({ label, open, highest, lowest, close, change }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{open}</td>
            <td>{highest}</td>
            <td>{lowest}</td>
            <td>{close}</td>
            <td>{changeWords(change).text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
