import { keptChoice } from "#app/plain-page.ts";
import { MarketOverview } from "#app/ui/market/market-overview.tsx";
import { PriceFigure } from "#app/ui/market/price-figure.tsx";
import { formatSecond, medianWords, type Quote, QuoteTable } from "#app/ui/market/quote-table.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { rangeLabels, readOverviewChoice } from "#core/markets/market-overview.ts";
import {
  assetNames,
  type PricedAsset,
  type PriceMessage,
  type PriceTrouble,
  parseUsd,
  pricedAssets,
  tapeAssets,
} from "#core/price.ts";
import { terms } from "#core/terms.ts";
import { appContext } from "#server/app-context.ts";
import { listQuotes } from "#server/markets/find-stored-price.ts";
import { getOverview } from "#server/markets/get-overview.ts";
import { listPrices } from "#server/markets/list-prices.ts";
import { listAskedAssets } from "#server/markets/list-sources.ts";
import { type Price, toMessage } from "#server/markets/price.ts";
import { PageHead } from "../frame/site-page.tsx";
import type { Route } from "./+types/prices";
import styles from "./prices.module.css";

export const handle = keptChoice({ coin: tapeAssets, range: rangeLabels });

export const meta = pageMeta({
  title: "Prices",
  description:
    "What coins cost in US dollars on this site, which exchanges each price comes from, what each of them said, and when.",
  path: "/prices",
});

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const at = now();
  const [prices, asked, overview] = await Promise.all([
    listPrices(db, at),
    listAskedAssets(db, at),
    getOverview(db, readOverviewChoice(request.url), at),
  ]);
  return {
    evidence: await Promise.all(prices.map((price) => evidenceOf(price))),
    asked,
    overview,
  };

  async function evidenceOf(price: Price) {
    return { price: toMessage(price, at), quotes: await listQuotes(db, price.priceId) };
  }
}

export default function Prices({ loaderData }: Route.ComponentProps) {
  const { evidence, asked, overview } = loaderData;
  const simulated = evidence.some(({ price }) => price.simulated);
  return (
    <div className={styles.page}>
      <div className={styles.words}>
        <PageHead
          title="Prices"
          lead={`Each price is the median of what public exchanges say at the same moment, of those that are fresh and agree. We do not use a price older than ${terms.priceMaxAgeMinutes} minutes to value anything.`}
        />
      </div>
      {simulated ? (
        <p className={styles.simulated}>
          <strong>Simulated.</strong> This is a demo: we asked no exchange, and none of these
          figures is real.
        </p>
      ) : null}
      <div className={styles.overview}>
        <MarketOverview {...overview} size="small" page="/prices" />
      </div>
      {pricedAssets.map((asset) => (
        <PriceEvidence
          key={asset}
          asset={asset}
          evidence={evidence.find(({ price }) => price.asset === asset)}
          asked={asked.find((each) => each.asset === asset)}
        />
      ))}
    </div>
  );
}

interface PriceEvidenceProps {
  asset: PricedAsset;
  /** Undefined: there was never a price. */
  evidence: { price: PriceMessage; quotes: Quote[] } | undefined;
  /** How the last round of questions went; undefined: there was none. */
  asked: { trouble: PriceTrouble | null } | undefined;
}

/** One price with all that it rests on. */
function PriceEvidence({ asset, evidence, asked }: PriceEvidenceProps) {
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
