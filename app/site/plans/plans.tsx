import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { formatUtc } from "#app/ui/figures/format-time.ts";
import { Term } from "#app/ui/figures/term.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { unseenWords } from "#core/mining/hashrate-words.ts";
import { type SalesStop, salesStopWords } from "#core/mining/sales-stop.ts";
import { coverageWords } from "#core/payments/custody-count.ts";
import { terms } from "#core/terms.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { findSalesStop } from "#server/contracts/find-sales-stop.ts";
import { listOfferedPlans, type OfferedPlan } from "#server/contracts/list-offered-plans.ts";
import { getSalesBounds } from "#server/fleet/get-sales-bounds.ts";
import { listPlanRecords, type PlanRecord } from "#server/mining/contracts/plan-records.ts";
import { type Coverage, listCoverage } from "#server/reconciliation/list-coverage.ts";
import { orElse } from "../frame/or-else.ts";
import { PageHead } from "../frame/site-page.tsx";
import type { Route } from "./+types/plans";
import { loadObserved } from "./load-assumptions.ts";
import { ObservedLine } from "./observed.tsx";
import { PlanCard } from "./plan-card.tsx";
import { PlanComparison } from "./plan-comparison.tsx";
import { PlanRecords } from "./plan-records.tsx";
import styles from "./plans.module.css";

export const handle = cachedPage();

export const meta = pageMeta({
  title: "Plans",
  description:
    "Hashrate for a term: what it costs and what the network pays today, results of scenarios with the losing ones first, and what past contracts really returned.",
  path: "/plans",
});

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const now = app.now();
  const [plans, records, observed, coverage, stop, bounds] = await Promise.all([
    listOfferedPlans(app.db, { now }),
    orElse(app, listPlanRecords(app.db, now), null),
    loadObserved(app, now),
    listCoverage(app.db),
    findSalesStop(app.db),
    getSalesBounds(app.db),
  ]);
  return { plans, records, observed, coverage, stop, bounds, firstDay: addDays(utcDay(now), 1) };
}

export default function Plans({ loaderData }: Route.ComponentProps) {
  const { plans, records, observed, coverage, stop, bounds, firstDay } = loaderData;
  return (
    <div className={styles.page}>
      <PageHead
        title="Plans"
        lead={
          <>
            A plan is <Term of="hashrate">hashrate</Term> of our machines for a term. It can end
            with a loss, and often does: read the scenarios before the price.
          </>
        }
      />
      <ObservedLine observed={observed} />
      <CoverageLine coverage={coverage} stop={stop} isSeen={bounds.seenGhs !== null} />
      {plans.length === 0 ? (
        <p className={styles.none}>
          No plan is offered at the moment. The <Link to="/calculator">calculator</Link> works with
          the figures of any offer.
        </p>
      ) : null}
      {plans.length > 1 ? (
        <PlanComparison plans={plans} observed={observed} firstDay={firstDay} />
      ) : null}
      {plans.map((plan) => (
        <PlanCard
          key={plan.planVersionId}
          plan={plan}
          record={records && (records.find(isOf(plan)) ?? "none")}
          hasRecords={records !== null && records.length > 0}
          observed={observed}
          firstDay={firstDay}
        />
      ))}
      <PlanRecords records={records} />
      {plans.length > 0 ? (
        <p className={styles.law}>
          The scenarios are arithmetic, not a forecast. You can return a first contract within{" "}
          {terms.coolingOffHours} hours for a full refund. For people of {terms.minimumAge} or
          older, outside the United States. The <Link to="/terms">terms</Link> and the{" "}
          <Link to="/terms?tab=disclaimer">Disclaimer</Link> say the rest.
        </p>
      ) : null}
    </div>
  );
}

function isOf(plan: OfferedPlan) {
  return ({ planVersionId }: PlanRecord) => planVersionId === plan.planVersionId;
}

/** Whether customers' coins are there: per coin what was counted, and when. Where one is short, nothing is sold. */
function CoverageLine({
  coverage,
  stop,
  isSeen,
}: {
  coverage: Coverage[];
  stop: SalesStop | null;
  isSeen: boolean;
}) {
  if (stop) {
    const short = coverage.filter(({ units, custodyUnits }) => units < custodyUnits);
    return (
      <div className={styles.stopped}>
        <Notice tone="warning" title="Sales are paused">
          {salesStopWords[stop]} {short.length === 0 ? null : `${listed(short)}. `}We sell no
          contract until that is resolved. Withdrawals continue.
        </Notice>
      </div>
    );
  }
  return (
    <p className={styles.coverage}>
      {coverage.length === 0
        ? "Our wallets have not been counted yet, so we cannot show that all customers' coins are in them."
        : `Coins counted in our wallets, as a share of what our records show: ${listed(coverage)}. Below 100 % we sell nothing.`}{" "}
      {isSeen ? null : `${unseenWords} Once seven are, `}
      <Link to="/proof#hashrate">{isSeen ? "What" : "what"} pools measured and paid for</Link>{" "}
      bounds the hashrate that we can sell.
    </p>
  );
}

function listed(coverage: Coverage[]): string {
  return coverage
    .map(({ asset, units, custodyUnits, asOf }) => {
      return `${asset} ${coverageWords(units, custodyUnits)} (${formatUtc(asOf)})`;
    })
    .join(", ");
}
