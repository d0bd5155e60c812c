import { Usd } from "#app/ui/figures/amount.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Coin } from "#core/asset.ts";
import { formatPrice, valueInUsdCents } from "#core/price.ts";
import { formatSecond, medianWords, type Quote, QuoteTable } from "./quote-table.tsx";
import styles from "./stored-price.module.css";

interface StoredPriceProps {
  units: bigint;
  coin: Coin;
  /** Null: none was fresh, so nothing was valued. */
  price: {
    usdE8: bigint;
    observedAt: Date;
    sources: number;
    simulated: boolean;
    quotes: Quote[];
  } | null;
}

/** What coins were worth when staff approved them, by the stored price of that moment, with all that it rests on. */
export function StoredPrice({ units, coin, price }: StoredPriceProps) {
  if (!price) {
    return (
      <Panel title="Worth when approved">
        No price was fresh at that moment, so the coins were valued with none. What was credited is
        the coins themselves.
      </Panel>
    );
  }
  const { usdE8, observedAt, sources, simulated, quotes } = price;
  return (
    <Panel title="Worth when approved" flush>
      <p className={styles.words}>
        <Usd cents={valueInUsdCents(units, coin, usdE8)} /> at {formatPrice(usdE8)} for one {coin}
        {simulated ? " (simulated)" : ""}: {medianWords(sources)}, observed on{" "}
        <time dateTime={observedAt.toISOString()}>{formatSecond(observedAt)}</time>.
      </p>
      <div className={styles.quotes}>
        <QuoteTable price={{ asset: coin, usdE8, observedAt }} quotes={quotes} bare />
      </div>
    </Panel>
  );
}
