import { Amount } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { useLocalePreferences } from "#app/ui/figures/locale-preferences.ts";
import { assetNames, type PriceMessage, parseUsd, unitsForUsdCents } from "#core/price.ts";
import styles from "./coin-value.module.css";
import { age } from "./price-words.ts";

/**
 * A value in the coin that its reader chose, by a fresh price with its age, else why there is none. Nothing for who
 * reads dollars.
 */
export function InCurrency({ cents, prices }: { cents: bigint; prices: PriceMessage[] }) {
  const { currency } = useLocalePreferences();
  if (currency === "USD") return null;
  const price = prices.find(({ asset }) => asset === currency);
  const usdE8 = price?.fresh ? parseUsd(price.usd) : null;
  if (!price || usdE8 === null) {
    const reason = price
      ? `The last price of ${assetNames[currency]} is from ${age(price.ageMs)}: nothing is converted with it.`
      : `There is no price of ${assetNames[currency]}, so nothing is converted.`;
    return (
      <span className={styles.age}>
        no value in {currency}
        <Hallmark reason={reason} />
      </span>
    );
  }
  return (
    <span className={styles.age}>
      {price.simulated ? "simulated, " : ""}≈{" "}
      <Amount units={unitsForUsdCents(cents, currency, usdE8)} asset={currency} plain />
      <Hallmark
        to={`/prices#${currency}`}
        label={`The price of ${assetNames[currency]} behind this value`}
      />
      {age(price.ageMs)}
    </span>
  );
}
