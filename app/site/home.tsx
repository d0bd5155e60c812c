import { Button, Title } from "@mantine/core";
import { Link } from "react-router";
import { keptPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import { terms } from "#core/terms.ts";
import { appContext } from "#server/app-context.ts";
import { getCompany, listFaqEntries, listTestimonials } from "#server/content/queries.ts";
import { findCapacity, findLastPayout, listOfferedPlans } from "#server/contracts/queries.ts";
import { getOverview } from "#server/markets/get-overview.ts";
import { getWithdrawalFigures } from "#server/withdrawals/queries.ts";
import type { Route } from "./+types/home";
import { AssayBalance } from "./assay-balance.tsx";
import { CostCards } from "./cost-cards.tsx";
import styles from "./home.module.css";
import { HomeMarket } from "./home-market.tsx";
import { MiningFacts } from "./mining-facts.tsx";
import { NetworkFacts } from "./network-facts.tsx";
import { loadNewsEntries } from "./news-entries.ts";
import { HomeNews } from "./news-timeline.tsx";
import { orElse } from "./or-else.ts";
import { PayoutSteps } from "./payout-steps.tsx";
import { CalculatorTeaser } from "./plans/calculator-teaser.tsx";
import { loadObserved } from "./plans/load-assumptions.ts";
import { Questions } from "./questions.tsx";
import { organization } from "./seo/organization.ts";
import { Testimonials } from "./testimonials.tsx";
import { WithdrawalFacts } from "./withdrawal-facts.tsx";

export const handle = keptPage();

/** Lines of the news timeline; all of them are on /news. */
const newsShown = 5;

const metaOf = pageMeta({
  title: "Secure Trading and Bitcoin Cloud Mining Services",
  description:
    "Secure trading and Bitcoin cloud mining services. Every balance is a sum of entries in a journal that takes no edits, and you can check it.",
  path: "/",
});

export function meta(page: Route.MetaArgs) {
  const company = page.loaderData?.company ?? null;
  return [...metaOf(page), ...organization(page.matches, company)];
}

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { db } = app;
  const now = app.now();
  const [company, observed, overview, questions, carousel, news, plans, payout, capacity, paying] =
    await Promise.all([
      orElse(app, getCompany(db), null),
      loadObserved(app, now),
      orElse(app, getOverview(db, { asset: "BTC", range: "12M" }, now), null),
      orElse(app, listFaqEntries(db), []),
      orElse(app, listTestimonials(db, app.config), null),
      orElse(app, loadNewsEntries(app, newsShown), null),
      orElse(app, listOfferedPlans(db, { now }), []),
      orElse(app, findLastPayout(db), null),
      orElse(app, findCapacity(db, now), null),
      orElse(app, getWithdrawalFigures(db, now), null),
    ]);
  const plan = plans.find(({ freeUnits }) => freeUnits > 0) ?? null;
  const mining = { payout, capacity };
  const { names: embeds } = app.config.embeds;
  const shown = { company, observed, overview, questions, carousel, news, plan };
  return { ...shown, mining, paying, now, embeds };
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { observed, overview, questions, carousel, news } = loaderData;
  const { plan, mining, paying, now, embeds } = loaderData;
  const { network } = observed;
  return (
    <>
      <Hero />
      {network ? <NetworkFacts network={network} /> : null}
      <MiningFacts {...mining} />
      {paying ? <WithdrawalFacts figures={paying} /> : null}
      <PayoutSteps />
      <CostCards />
      {plan ? <CalculatorTeaser plan={plan} observed={observed} now={now} /> : null}
      {overview?.figures ? <HomeMarket overview={overview} /> : null}
      <Questions entries={questions} />
      {carousel ? <Testimonials carousel={carousel} /> : null}
      {news ? <HomeNews entries={news} embeds={embeds} /> : null}
    </>
  );
}

function Hero() {
  return (
    <section className={styles.hero}>
      <div>
        <Title order={1} className={styles.title}>
          Secure Trading and Bitcoin Cloud Mining Services
        </Title>
        <p className={styles.tagline}>
          The easiest, safest and fastest web app for cryptocurrency trading, mining and investments
          globally.
        </p>
        <Button component={Link} to="/signup" size="lg">
          Open an account
        </Button>
        <p className={styles.law}>
          For people of {terms.minimumAge} or older, outside the United States. Mining can cost more
          than it brings.
        </p>
      </div>
      <div className={styles.drawing}>
        <AssayBalance />
      </div>
    </section>
  );
}
