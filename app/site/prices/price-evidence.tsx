import { PriceFigure } from "#app/ui/market/price-figure.tsx";
import { formatSecond, medianWords, type Quote, QuoteTable } from "#app/ui/market/quote-table.tsx";
import {
  assetNames,
  type PricedAsset,
  type PriceMessage,
  type PriceTrouble,
  parseUsd,
} from "#core/price.ts";
import styles from "./prices.module.css";

interface PriceEvidenceProps {
  asset: PricedAsset;
  /** Undefined: there was never a price. */
  evidence: { price: PriceMessage; quotes: Quote[] } | undefined;
  /** How the last round of questions went; undefined: there was none. */
  asked: { trouble: PriceTrouble | null } | undefined;
}

/** One price with all that it rests on. */
export function PriceEvidence({ asset, evidence, asked }: PriceEvidenceProps) {
  return (
    <section id={asset} className={styles.evidence} aria-labelledby={`${asset}-name`}>
      <div className={styles.head}>
        <h2 id={`${asset}-name`}>{assetNames[asset]}</h2>
        <PriceFigure asset={asset} price={evidence?.price} still />
      </div>
      {evidence ? (
        <Found {...evidence} />
      ) : (
        <p>{asked?.trouble ? neverPriced[asked.trouble] : unasked}</p>
      )}
    </section>
  );
}

function Found({ price, quotes }: { price: PriceMessage; quotes: Quote[] }) {
  const { asset, trouble, sources } = price;
  const observedAt = new Date(price.observedAt);
  return (
    <>
      <p>
        Observed on <time dateTime={price.observedAt}>{formatSecond(observedAt)}</time>:{" "}
        {medianWords(sources)}. {trouble ? troubles[trouble] : null}
      </p>
      <QuoteTable price={{ asset, usdE8: parseUsd(price.usd) ?? 0n, observedAt }} quotes={quotes} />
    </>
  );
}

const troubles: Record<PriceTrouble, string> = {
  "too-few-sources": "Since then too few exchanges have answered for a newer price.",
  "sources-disagree": "Since then the exchanges have disagreed too much for a newer price.",
  "not-asked": "We have not asked the exchanges for some minutes, so we know no newer price.",
};

const unasked = "No exchange has been asked yet, so there is no price.";
const neverPriced: Record<PriceTrouble, string> = {
  "too-few-sources": "When last asked, too few exchanges answered for a price.",
  "sources-disagree": "When last asked, the exchanges disagreed too much for a price.",
  "not-asked": "We have not asked the exchanges for some minutes, so we know no price.",
};
