import { type PriceMessage, tapeAssets } from "#core/price.ts";
import { PriceFigure } from "./price-figure.tsx";
import { newestAge, priceState, pricesStatus } from "./price-words.ts";
import styles from "./tickers.module.css";

/** The coins of the ticker tape, one card each. */
export function Tickers({ prices }: { prices: PriceMessage[] }) {
  const shown = prices.filter(({ asset }) => asset !== "USDT");
  const ageMs = newestAge(shown);
  const simulated = shown.some((price) => price.simulated);
  return (
    <section className={styles.tickers} aria-labelledby="tickers">
      <h2 id="tickers" className={styles.title}>
        Prices{" "}
        <span className={styles.simulated} data-simulated={simulated}>
          {simulated ? "Simulated" : null}
        </span>{" "}
        <span data-prices-status={priceState(ageMs)} className={styles.age}>
          {pricesStatus(ageMs)}
        </span>
      </h2>
      <ul className={styles.cards}>
        {tapeAssets.map((asset) => (
          <li key={asset}>
            <PriceFigure
              asset={asset}
              price={shown.find((price) => price.asset === asset)}
              className={styles.card}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
