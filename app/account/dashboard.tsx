import { Button } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "react-router";
import { DashboardBanner } from "#app/ui/dashboard-banner.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { dashboardBanner } from "#core/dashboard-banner.ts";
import { contractKinds, deriveEarnings, deriveProfitCents, earningKinds } from "#core/earnings.ts";
import { appContext } from "#server/app-context.ts";
import { depositTotals } from "#server/deposits/queries.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { getDashboardMessage } from "#server/identity/queries.ts";
import { getBalances, listMovementTotals } from "#server/ledger/queries.ts";
import type { Route } from "./+types/dashboard";
import { Attention } from "./attention.tsx";
import { Balances } from "./balances.tsx";
import { SumCards } from "./sum-cards.tsx";
import { keepTotalAmount } from "./total-amount.ts";

export const meta = titled("Dashboard");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { id, emailVerified } = context.get(customerContext);
  const [deposits, balances, movements, { message, expiresAt }] = await Promise.all([
    depositTotals(db, id),
    getBalances(db, id),
    listMovementTotals(db, id, [...earningKinds, ...contractKinds]),
    getDashboardMessage(db, id),
  ]);
  return {
    deposits,
    balances,
    earnings: deriveEarnings(movements),
    profitCents: deriveProfitCents(movements),
    banner: dashboardBanner(
      { depositTotalCents: deposits.totalUsdCents, message, expiresAt },
      now(),
    ),
    emailVerified,
  };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const { deposits, balances, earnings, profitCents, banner, emailVerified } = loaderData;
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
        profitCents={profitCents}
      />
      <Attention emailVerified={emailVerified} pendingCount={deposits.pendingCount} />
      <Balances balances={balances} earnings={earnings} />
    </>
  );
}
