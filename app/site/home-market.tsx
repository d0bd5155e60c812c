import { MarketOverview, type MarketOverviewProps } from "#app/ui/market/market-overview.tsx";
import styles from "./home-market.module.css";
import home from "./home-section.module.css";

interface HomeMarketProps {
  overview: Omit<MarketOverviewProps, "size" | "page">;
}

/** The market's year on the landing page: its chart is fetched when it comes near the view. */
export function HomeMarket({ overview }: HomeMarketProps) {
  return (
    <div className={`${home.section} ${styles.market}`}>
      <MarketOverview {...overview} size="small" page="/prices" />
    </div>
  );
}
