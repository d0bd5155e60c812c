import { Outlet } from "react-router";
import { loadDocument, plainPage } from "#app/plain-page.ts";
import { EmbedBar } from "#app/ui/market/embed-bar.tsx";
import { ProductMarks } from "#app/ui/page/product-marks.tsx";
import { appContext } from "#server/app-context.ts";
import { getCompany } from "#server/content/get-company.ts";
import { listPrices } from "#server/markets/list-prices.ts";
import { toMessage } from "#server/markets/price.ts";
import type { Route } from "./+types/layout";
import { Footer } from "./frame/footer.tsx";
import styles from "./frame/layout.module.css";
import { NavigationBar } from "./frame/navigation-bar.tsx";
import { orElse } from "./frame/or-else.ts";
import { TickerTape } from "./frame/ticker-tape.tsx";

export const handle = plainPage("site");

/** Where readers of feeds find the announcements. */
export const links: Route.LinksFunction = () => [
  { rel: "alternate", type: "application/atom+xml", title: "News", href: "/news.atom" },
];

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [loadDocument];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const now = app.now();
  const [company, prices] = await Promise.all([
    orElse(app, getCompany(app.db), null),
    orElse(app, listPrices(app.db, now), []),
  ]);
  return {
    company,
    prices: prices.map((price) => toMessage(price, now)),
    embeds: app.config.embeds.names,
    sourceUrl: app.config.sourceUrl,
  };
}

export default function SiteLayout({ matches, loaderData }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  const { company, prices, embeds, sourceUrl } = loaderData;
  return (
    <div className={styles.page}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <TickerTape prices={prices} embeds={embeds} />
      <ProductMarks demo={demo} network={network} />
      <NavigationBar siteName={siteName} />
      <main id="content" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer siteName={siteName} company={company} embeds={embeds} sourceUrl={sourceUrl} />
      {embeds.length > 0 ? <EmbedBar hidden /> : null}
    </div>
  );
}
