import { memo, useEffect, useRef } from "react";
import { EmbedBar } from "#app/ui/market/embed-bar.tsx";
import { EmbedSlot } from "#app/ui/market/embed-slot.tsx";
import { keepPricesLive } from "#app/ui/market/keep-prices-live.ts";
import { MarketOverview, type MarketOverviewProps } from "#app/ui/market/market-overview.tsx";
import { putEmbeds } from "#app/ui/market/put-embeds.ts";
import { Tickers } from "#app/ui/market/tickers.tsx";
import type { PriceMessage } from "#core/price.ts";
import type { EmbedConsent, EmbedName } from "#core/text/embeds.ts";
import styles from "./market.module.css";

export interface MarketProps {
  prices: PriceMessage[];
  overview: Omit<MarketOverviewProps, "size" | "page">;
  /** The provider's widgets that the operator has switched on, and what this person said about them. */
  embeds: { names: EmbedName[]; consent: EmbedConsent };
}

/**
 * The tickers and the market overview of the dashboard. After the page has come, scripts that know no React move
 * what is in here, so it is drawn once.
 */
export const Market = memo(DrawnMarket, () => true);

function DrawnMarket({ prices, overview, embeds: { names, consent } }: MarketProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => (root.current ? enliven(root.current) : undefined), []);
  const own = (name: EmbedName) => consent !== "yes" || !names.includes(name);
  return (
    <div ref={root} className={styles.market}>
      <EmbedSlot name="tickers" switchedOn={names}>
        {own("tickers") ? <Tickers prices={prices} /> : null}
      </EmbedSlot>
      <EmbedSlot name="market-overview" switchedOn={names}>
        {own("market-overview") ? (
          <MarketOverview {...overview} size="tall" page="/account/dashboard" />
        ) : null}
      </EmbedSlot>
      {names.length > 0 && consent === "unasked" ? <EmbedBar back="/account/dashboard" /> : null}
      {names.length > 0 && consent !== "unasked" ? (
        <p className={styles.choice}>
          <a href="/embeds">Choose whose charts are shown</a>
        </p>
      ) : null}
    </div>
  );
}

function enliven(root: HTMLElement): () => void {
  putEmbeds(root);
  const stops = [keepPricesLive(root)];
  let ended = false;
  void mountOverviews(root).then((unmounts) => {
    if (ended) for (const unmount of unmounts) unmount();
    else stops.push(...unmounts);
  });
  return () => {
    ended = true;
    for (const stop of stops) stop();
  };
}

async function mountOverviews(root: HTMLElement): Promise<Array<() => void>> {
  const overviews = [...root.querySelectorAll<HTMLElement>("[data-overview]")];
  if (overviews.length === 0) return [];
  const { mountOverview } = await import("#app/ui/market/mount-overview.ts");
  return overviews.map(mountOverview);
}
