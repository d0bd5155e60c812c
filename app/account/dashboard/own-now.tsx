import { Usd } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { InCurrency } from "#app/ui/market/in-currency.tsx";
import { age } from "#app/ui/market/price-words.ts";
import { useLivePrices } from "#app/ui/market/use-live-prices.ts";
import { type Coin, coins } from "#core/asset.ts";
import { assetNames, type PriceMessage, parseUsd, valueInUsdCents } from "#core/price.ts";
import styles from "./own-now.module.css";

interface OwnNowProps {
  balances: Record<Coin, { available: bigint; held: bigint }>;
  prices: PriceMessage[];
}

/** What the balances below are worth together, by fresh prices only: what a customer has, next to the specified sums. */
export function OwnNow({ balances, prices: sent }: OwnNowProps) {
  const prices = useLivePrices(sent);
  const { cents, oldest, unvalued } = sumOf(balances, prices);
  const isValued = oldest !== null || unvalued.length === 0;
  return (
    <section className={styles.own} aria-labelledby="own-now">
      <h2 id="own-now" className={styles.label}>
        You own now:
      </h2>
      <p className={styles.figure}>
        {isValued ? <Usd cents={cents} /> : "no value"}
        {unvalued.length === 0 ? (
          <Hallmark to="#balances" label="The balances and prices behind this sum" />
        ) : (
          <Hallmark reason={`There is no fresh price of ${inWords(unvalued)}.`} />
        )}
      </p>
      <p className={styles.note}>
        {oldest ? (
          <span className={styles.age}>
            {oldest.simulated ? "Simulated prices, " : "Prices from "}
            {age(oldest.ageMs)}.{" "}
          </span>
        ) : null}
        {unvalued.length > 0
          ? `Without ${inWords(unvalued)}, which ${unvalued.length === 1 ? "has" : "have"} no fresh price.`
          : "All coins in your account, available and held."}
      </p>
      {isValued ? <InCurrency cents={cents} prices={prices} /> : null}
    </section>
  );
}

/** The sum of what has a fresh price, the oldest of these prices, and which coins have none. */
function sumOf(balances: OwnNowProps["balances"], prices: PriceMessage[]) {
  let cents = 0n;
  let oldest: PriceMessage | null = null;
  const unvalued: Coin[] = [];
  for (const coin of coins) {
    const units = balances[coin].available + balances[coin].held;
    if (units === 0n) continue;
    const price = prices.find(({ asset }) => asset === coin);
    const usdE8 = price?.fresh ? parseUsd(price.usd) : null;
    if (!price || usdE8 === null) {
      unvalued.push(coin);
      continue;
    }
    cents += valueInUsdCents(units, coin, usdE8);
    if (!oldest || price.ageMs > oldest.ageMs) oldest = price;
  }
  return { cents, oldest, unvalued };
}

function inWords(unvalued: readonly Coin[]): string {
  return unvalued.map((coin) => assetNames[coin]).join(" and ");
}
