import { useEffect } from "react";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { DashboardBanner } from "#app/ui/page/dashboard-banner.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { deriveEarnings, profitCents } from "#core/markets/earnings.ts";
import { readOverviewChoice } from "#core/markets/market-overview.ts";
import { securityTerms } from "#core/people/security-terms.ts";
import { dashboardBanner } from "#core/text/dashboard-banner.ts";
import { readEmbedConsent } from "#core/text/embeds.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { depositTotals } from "#server/deposits/get-deposit-totals.ts";
import { customerContext, viewContext } from "#server/identity/sessions/person-context.ts";
import { findDashboardFacts } from "#server/identity/settings/find-dashboard-facts.ts";
import { findResidence } from "#server/kyc/list-residences.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { getOverview } from "#server/markets/get-overview.ts";
import { listShownPrices } from "#server/markets/list-prices.ts";
import { toMessage } from "#server/markets/price.ts";
import { findMiningTotals } from "#server/mining/contracts/find-totals.ts";
import { listOpenContracts } from "#server/mining/contracts/list-open-contracts.ts";
import { listNewestDays, newestDays } from "#server/mining/days/list-newest-days.ts";
import { pipelineReads } from "#server/platform/database/pipeline-reads.ts";
import type { Db } from "#server/platform/database.ts";
import { listAddresses } from "#server/withdrawals/list-addresses.ts";
import { keepTotalAmount } from "../frame/total-amount.ts";
import type { Route } from "./+types/dashboard";
import { Attention } from "./attention.tsx";
import { Balances } from "./balances.tsx";
import { deriveMining } from "./derive-mining.ts";
import { type FirstStep, listFirstSteps, type Progress } from "./first-steps.ts";
import { FirstSteps } from "./first-steps-panel.tsx";
import { Market } from "./market.tsx";
import { MiningPanel } from "./mining-panel.tsx";
import { OwnNow } from "./own-now.tsx";
import { SumCards } from "./sum-cards.tsx";

export const meta = titled("Dashboard");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now, config } = context.get(appContext);
  const { id, emailVerified } = context.get(customerContext);
  const at = now();
  const today = utcDay(at);
  const viewsSince = new Date(at.getTime() - securityTerms.viewShownDays * 86_400_000);
  const [[deposits, balances, totals, days, open, facts], prices, overview] = await Promise.all([
    pipelineReads(db, (one) =>
      Promise.all([
        depositTotals(one, id),
        getBalances(one, id),
        findMiningTotals(one, id),
        listNewestDays(one, id, addDays(today, -newestDays)),
        listOpenContracts(one, [id], today),
        findDashboardFacts(one, id, { now: at, viewsSince }),
      ]),
    ),
    listShownPrices(db, at),
    getOverview(db, readOverviewChoice(request.url), at),
  ]);
  const { message, messageExpiresAt: expiresAt, hasMfa, moneyHeldUntil, lastView } = facts;
  const hasContract = Object.keys(totals.paidUnits).length > 0;
  const btcUsdE8 = prices.find(({ asset }) => asset === "BTC")?.usdE8 ?? null;
  const availableSats = balances.BTC.available;
  const { count, pendingCount, totalUsdCents: depositTotalCents } = deposits;
  const hasDeposit = count > pendingCount;
  const progress = { emailVerified, hasMfa, moneyHeldUntil, hasDeposit, pendingCount };
  return {
    /** Null: somebody of the staff looks on. */
    customerId: context.get(viewContext) ? null : id,
    deposits,
    balances,
    earnings: deriveEarnings(totals),
    profitCents: profitCents(totals.profitUsdMicros),
    paidCents: totals.paidUsdCents,
    unpaidSats: totals.unpaidSats,
    mining: deriveMining({ days, open, availableSats, btcUsdE8, today }),
    steps: hasContract ? null : await readFirstSteps(db, id, progress, at),
    banner: dashboardBanner({ depositTotalCents, message, expiresAt }, at),
    emailVerified,
    security: { hasMfa, moneyHeldUntil },
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
  const { deposits, balances, earnings, banner, mining, steps } = loaderData;
  const { prices, overview, embeds, security, lastView } = loaderData;
  const hasCoins = Object.values(balances).some(
    ({ available, held }) => available > 0n || held > 0n,
  );
  // The list of first steps says the same, with what it takes.
  const isLed = steps !== null;
  useEffect(() => keepTotalAmount(deposits.totalUsdCents), [deposits.totalUsdCents]);
  return (
    <>
      <PageHeader
        title="Dashboard"
        actions={isLed ? null : <ButtonLink to="/account/deposit">Make a deposit</ButtonLink>}
      />
      {banner ? <DashboardBanner banner={banner} /> : null}
      {steps ? <FirstSteps steps={steps} /> : null}
      {mining ? <MiningPanel mining={mining} unpaidSats={loaderData.unpaidSats} /> : null}
      {hasCoins || mining ? <OwnNow balances={balances} prices={prices} /> : null}
      <SumCards
        depositCents={deposits.totalUsdCents}
        pendingCents={deposits.pendingUsdCents}
        profitCents={loaderData.profitCents}
        paidCents={loaderData.paidCents}
        prices={prices}
      />
      <Attention
        emailVerified={isLed || loaderData.emailVerified}
        pendingCount={isLed ? 0 : deposits.pendingCount}
        moneyHeldUntil={security.moneyHeldUntil}
        isGuarded={isLed || security.hasMfa || !hasCoins}
        lastView={lastView}
      />
      <Balances
        customerId={loaderData.customerId}
        balances={balances}
        earnings={earnings}
        prices={prices}
      />
      <Market prices={prices} overview={overview} embeds={embeds} />
    </>
  );
}

/**
 * The first steps of a customer who has no contract yet. With the first contract they are over: a country is known then, and
 * what else is open is said where it matters.
 */
async function readFirstSteps(
  db: Db,
  customerId: string,
  known: Omit<Progress, "hasCountry" | "addressUsableFrom">,
  now: Date,
): Promise<FirstStep[]> {
  const [residence, addresses] = await Promise.all([
    findResidence(db, customerId),
    listAddresses(db, customerId),
  ]);
  const usable = addresses.map(({ usableFrom }) => usableFrom.getTime());
  const addressUsableFrom = usable.length === 0 ? null : new Date(Math.min(...usable));
  return listFirstSteps({ ...known, hasCountry: residence !== null, addressUsableFrom }, now);
}
