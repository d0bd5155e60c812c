import type { MetaDescriptor } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { pageMeta, siteOf } from "#app/ui/page/page-meta.ts";
import { appContext } from "#server/app-context.ts";
import type { Company } from "#server/content/content.ts";
import { getCompany } from "#server/content/get-company.ts";
import { listFaqEntries } from "#server/content/list-faq-entries.ts";
import { listTestimonials } from "#server/content/list-testimonials.ts";
import { findCapacity } from "#server/contracts/find-capacity.ts";
import { findLastPayout } from "#server/contracts/find-last-payout.ts";
import { listOfferedPlans } from "#server/contracts/list-offered-plans.ts";
import { listCoverage } from "#server/reconciliation/list-coverage.ts";
import { getWithdrawalFigures } from "#server/withdrawals/get-withdrawal-figures.ts";
import { orElse } from "../frame/or-else.ts";
import { loadNews } from "../news/load-news.ts";
import { HomeNews } from "../news/news-timeline.tsx";
import { loadObserved } from "../plans/load-assumptions.ts";
import { loadSampleReceipt } from "../receipt/load-sample-receipt.ts";
import type { Route } from "./+types/home";
import { CostCards } from "./cost-cards.tsx";
import { Hero } from "./hero.tsx";
import { HomeFacts } from "./home-facts.tsx";
import { HomePlans } from "./home-plans.tsx";
import { PayoutSteps } from "./payout-steps.tsx";
import { Questions } from "./questions.tsx";
import { Testimonials } from "./testimonials.tsx";

export const handle = cachedPage();

/** Lines of the news timeline; all of them are on /news. */
const newsShown = 5;

const metaOf = pageMeta({
  title: "Secure Trading and Bitcoin Cloud Mining Services",
  description:
    "Rent Bitcoin hashrate by the day. Every payout comes with a receipt you can recompute, and every balance is a sum of ledger entries that cannot be edited.",
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
  const [sample, company, observed, questions, carousel, news] = await Promise.all([
    loadSampleReceipt(app),
    orElse(app, getCompany(db), null),
    loadObserved(app, now),
    orElse(app, listFaqEntries(db), []),
    orElse(app, listTestimonials(db, app.config), null),
    orElse(app, loadNews(app, newsShown), null),
  ]);
  const [plans, payout, capacity, paying, coverage] = await Promise.all([
    orElse(app, listOfferedPlans(db, { now }), []),
    orElse(app, findLastPayout(db), null),
    orElse(app, findCapacity(db, now), null),
    orElse(app, getWithdrawalFigures(db, now), null),
    orElse(app, listCoverage(db), null),
  ]);
  const { names: embeds } = app.config.embeds;
  const shown = { sample, company, observed, questions, carousel, news };
  return { ...shown, plans, facts: { payout, capacity, paying, coverage }, now, embeds };
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { sample, company, observed, questions, carousel, news } = loaderData;
  const { plans, facts, now, embeds } = loaderData;
  const offered = plans.filter(({ freeUnits }) => freeUnits > 0);
  return (
    <>
      <Hero sample={sample} />
      <PayoutSteps />
      {offered.length > 0 ? <HomePlans plans={offered} observed={observed} now={now} /> : null}
      <HomeFacts {...facts} company={company} network={observed.network} />
      <CostCards />
      <Questions entries={questions} />
      {carousel ? <Testimonials carousel={carousel} /> : null}
      {news ? <HomeNews entries={news} embeds={embeds} /> : null}
    </>
  );
}

/** Who is behind the site, for search engines (schema.org). Only what the operator has entered. */
function organization(
  matches: Parameters<typeof siteOf>[0],
  company: Company | null,
): MetaDescriptor[] {
  const site = siteOf(matches);
  if (!site) return [];
  const known = {
    legalName: company?.name,
    address: company?.postalAddress.replaceAll("\n", ", "),
    email: company?.email,
    telephone: company?.phone,
  };
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Organization",
        name: site.siteName,
        url: `${site.appUrl}/`,
        logo: `${site.appUrl}/icon-512.png`,
        ...Object.fromEntries(Object.entries(known).filter(([, value]) => value)),
      },
    },
  ];
}
