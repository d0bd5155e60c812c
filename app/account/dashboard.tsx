import { useEffect } from "react";
import { DashboardBanner } from "#app/ui/dashboard-banner.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { ButtonLink } from "#app/ui/plain-button.tsx";
import { dashboardBanner } from "#core/dashboard-banner.ts";
import { contractKinds, deriveEarnings, earningKinds, profitCents } from "#core/earnings.ts";
import { readEmbedConsent } from "#core/embeds.ts";
import { readOverviewChoice } from "#core/market-overview.ts";
import { securityTerms } from "#core/security-terms.ts";
import { appContext } from "#server/app-context.ts";
import { depositTotals } from "#server/deposits/queries.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { findLastView, getDashboardMessage, getSecurityNeeds } from "#server/identity/queries.ts";
import { getBalances, listMovementTotals } from "#server/ledger/queries.ts";
import { getOverview } from "#server/markets/get-overview.ts";
import { toMessage } from "#server/markets/price.ts";
import { listPrices } from "#server/markets/queries.ts";
import { findProfit } from "#server/mining/queries.ts";
import { readTogether } from "#server/platform/read-together.ts";
import type { Route } from "./+types/dashboard";
import { Attention } from "./attention.tsx";
import { Balances } from "./balances.tsx";
import { Market } from "./market.tsx";
import { SumCards } from "./sum-cards.tsx";
import { keepTotalAmount } from "./total-amount.ts";

export const meta = titled("Dashboard");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now, config } = context.get(appContext);
  const { id, emailVerified } = context.get(customerContext);
  const at = now();
  const viewsSince = new Date(at.getTime() - securityTerms.viewShownDays * 86_400_000);
  const [
    [deposits, balances, movements, profit, dashboardMessage, security, lastView],
    prices,
    overview,
  ] = await Promise.all([
    readTogether(db, (one) =>
      Promise.all([
        depositTotals(one, id),
        getBalances(one, id),
        listMovementTotals(one, id, [...earningKinds, ...contractKinds]),
        findProfit(one, id),
        getDashboardMessage(one, id),
        getSecurityNeeds(one, id, at),
        findLastView(one, id, viewsSince),
      ]),
    ),
    listPrices(db, at),
    getOverview(db, readOverviewChoice(request.url), at),
  ]);
  const { message, expiresAt } = dashboardMessage;
  return {
    deposits,
    balances,
    earnings: deriveEarnings(movements),
    profitCents: profitCents(profit),
    banner: dashboardBanner({ depositTotalCents: deposits.totalUsdCents, message, expiresAt }, at),
    emailVerified,
    security,
    prices: prices.map((price) => toMessage(price, at)),
    overview,
    lastView,
    embeds: {
      names: config.embeds.names,
      consent: readEmbedConsent(request.headers.get("cookie"), config.appUrl.startsWith("https:")),
    },
  };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const { deposits, balances, earnings, banner, emailVerified } = loaderData;
  const { prices, overview, embeds, security, lastView } = loaderData;
  const hasCoins = Object.values(balances).some(
    ({ available, held }) => available > 0n || held > 0n,
  );
  useEffect(() => keepTotalAmount(deposits.totalUsdCents), [deposits.totalUsdCents]);
  return (
    <>
      {banner ? <DashboardBanner banner={banner} /> : null}
      <PageHeader
        title="Dashboard"
        actions={<ButtonLink to="/account/deposit">Make a deposit</ButtonLink>}
      />
      <SumCards
        depositCents={deposits.totalUsdCents}
        pendingCents={deposits.pendingUsdCents}
        profitCents={loaderData.profitCents}
        prices={prices}
      />
      <Attention
        emailVerified={emailVerified}
        pendingCount={deposits.pendingCount}
        moneyHeldUntil={security.moneyHeldUntil}
        isGuarded={security.hasFactor || !hasCoins}
        lastView={lastView}
      />
      <Balances balances={balances} earnings={earnings} prices={prices} />
      <Market prices={prices} overview={overview} embeds={embeds} />
    </>
  );
}
