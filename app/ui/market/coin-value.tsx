import { Usd } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import type { Coin } from "#core/asset.ts";
import { assetNames, type PriceMessage, parseUsd, valueInUsdCents } from "#core/price.ts";
import styles from "./coin-value.module.css";
import { InCurrency } from "./in-currency.tsx";
import { age } from "./price-words.ts";

interface CoinValueProps {
  units: bigint;
  coin: Coin;
  /** Undefined: there was never one. */
  price: PriceMessage | undefined;
  /** Of all coins, for readers who chose to see values in one of them. */
  prices?: PriceMessage[];
}

/** What coins are worth in dollars, with the age of the price: only by a fresh one, else nothing and why. */
export function CoinValue({ units, coin, price, prices = [] }: CoinValueProps) {
  const usdE8 = price?.fresh ? parseUsd(price.usd) : null;
  if (!price || usdE8 === null) return <NoValue price={price} />;
  const cents = valueInUsdCents(units, coin, usdE8);
  return (
    <span className={styles.value}>
      <span>
        <Usd cents={cents} />
        <Hallmark
          to={`/prices#${coin}`}
          label={`The price of ${assetNames[coin]} behind this value`}
        />
      </span>
      <span className={styles.age}>
        {price.simulated ? "simulated, " : ""}
        {age(price.ageMs)}
      </span>
      {prices.length > 0 ? <InCurrency cents={cents} prices={prices} /> : null}
    </span>
  );
}

function NoValue({ price }: { price: PriceMessage | undefined }) {
  const reason = price
    ? `The last price is from ${age(price.ageMs)}: nothing is valued with it.`
    : "There is no price, so there is no value.";
  return (
    <span className={styles.value}>
      <span>
        <span aria-hidden="true">—</span>
        <VisuallyHidden>no value</VisuallyHidden>
        <Hallmark reason={reason} />
      </span>
      <span className={styles.age}>{price ? `price ${age(price.ageMs)}` : "no price"}</span>
    </span>
  );
}
