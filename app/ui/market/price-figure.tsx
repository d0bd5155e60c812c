import { assetNames, type PricedAsset, type PriceMessage } from "#core/price.ts";
import styles from "./price-figure.module.css";
import { dayChangeWords, priceNote, priceState } from "./price-words.ts";
import { Stamp } from "./stamp.tsx";

interface PriceFigureProps {
  asset: PricedAsset;
  /** Undefined: there was never one. */
  price: PriceMessage | undefined;
  /** For another figure that is read out already. */
  copy?: boolean;
  /** Next to the evidence of this very price, so no newer one takes its place. */
  still?: boolean;
  className?: string | undefined;
}

/**
 * An asset, its price, the change of 24 hours and, where it is not quite new, its age: a link to the price's
 * evidence. `keep-prices-live.ts` finds its parts by their `data-…` attributes.
 */
export function PriceFigure({
  asset,
  price,
  copy = false,
  still = false,
  className,
}: PriceFigureProps) {
  const ageMs = price?.ageMs ?? null;
  const { tone, text } = dayChangeWords(price?.change24h ?? null);
  return (
    <a
      href={`/prices#${asset}`}
      className={`${styles.figure} ${className ?? ""}`}
      tabIndex={copy ? -1 : undefined}
      data-price={asset}
      data-still={still || undefined}
      data-state={priceState(ageMs)}
      data-age-ms={ageMs ?? undefined}
      data-observed-at={price?.observedAt}
    >
      <span className={styles.asset}>
        <abbr className={styles.symbol} title={assetNames[asset]}>
          {asset}
        </abbr>
        <span className={styles.name}>{assetNames[asset]}</span>
      </span>
      <span className={styles.shown} data-part="shown">
        {price?.shown ?? "—"}
      </span>
      <span className={styles.change} data-part="change" data-tone={tone}>
        {price ? text : ""}
      </span>
      <span className={styles.note} data-part="note">
        {priceNote(ageMs)}
      </span>
      <Stamp />
    </a>
  );
}
