import { Button } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "react-router";
import { DashboardBanner } from "#app/ui/dashboard-banner.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { dashboardBanner } from "#core/dashboard-banner.ts";
import { contractKinds, deriveEarnings, earningKinds, profitCents } from "#core/earnings.ts";
import { readEmbedConsent } from "#core/embeds.ts";
import { readOverviewChoice } from "#core/market-overview.ts";
import { appContext } from "#server/app-context.ts";
import { depositTotals } from "#server/deposits/queries.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { getDashboardMessage } from "#server/identity/queries.ts";
import { getBalances, listMovementTotals } from "#server/ledger/queries.ts";
import { getOverview } from "#server/markets/get-overview.ts";
import { toMessage } from "#server/markets/price.ts";
import { listPrices } from "#server/markets/queries.ts";
import { findProfit } from "#server/mining/queries.ts";
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
  const [deposits, balances, movements, profit, { message, expiresAt }, prices, overview] =
    await Promise.all([
      depositTotals(db, id),
      getBalances(db, id),
      listMovementTotals(db, id, [...earningKinds, ...contractKinds]),
      findProfit(db, id),
      getDashboardMessage(db, id),
      listPrices(db, at),
      getOverview(db, readOverviewChoice(request.url), at),
    ]);
  return {
    deposits,
    balances,
    earnings: deriveEarnings(movements),
    profitCents: profitCents(profit),
    banner: dashboardBanner({ depositTotalCents: deposits.totalUsdCents, message, expiresAt }, at),
    emailVerified,
    prices: prices.map((price) => toMessage(price, at)),
    overview,
    embeds: {
      names: config.embeds.names,
      consent: readEmbedConsent(request.headers.get("cookie")),
    },
  };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const { deposits, balances, earnings, banner, emailVerified } = loaderData;
  const { prices, overview, embeds } = loaderData;
  useEffect(() => keepTotalAmount(deposits.totalUsdCents), [deposits.totalUsdCents]);
  return (
    <>
      {banner ? <DashboardBanner banner={banner} /> : null}
      <PageHeader
        title="Dashboard"
        actions={
          <Button component={Link} to="/account/deposit">
            Make a deposit
          </Button>
        }
      />
      <SumCards
        depositCents={deposits.totalUsdCents}
        pendingCents={deposits.pendingUsdCents}
        profitCents={loaderData.profitCents}
        prices={prices}
      />
      <Attention emailVerified={emailVerified} pendingCount={deposits.pendingCount} />
      <Balances balances={balances} earnings={earnings} prices={prices} />
      <Market prices={prices} overview={overview} embeds={embeds} />
    </>
  );
}
