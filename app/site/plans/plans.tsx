import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { Term } from "#app/ui/figures/term.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { terms } from "#core/terms.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { listOfferedPlans } from "#server/contracts/list-offered-plans.ts";
import { listPlanRecords } from "#server/mining/contracts/plan-records.ts";
import { listCoverage } from "#server/reconciliation/list-coverage.ts";
import { orElse } from "../frame/or-else.ts";
import { PageHead } from "../frame/site-page.tsx";
import type { Route } from "./+types/plans";
import { CoverageLine } from "./coverage-line.tsx";
import { loadObserved } from "./load-assumptions.ts";
import { ObservedLine } from "./observed.tsx";
import { PlanCard } from "./plan-card.tsx";
import { PlanComparison } from "./plan-comparison.tsx";
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
  const [plans, records, observed, coverage] = await Promise.all([
    listOfferedPlans(app.db, { now }),
    orElse(app, listPlanRecords(app.db), null),
    loadObserved(app, now),
    listCoverage(app.db),
  ]);
  return { plans, records, observed, coverage, firstDay: addDays(utcDay(now), 1) };
}

export default function Plans({ loaderData }: Route.ComponentProps) {
  const { plans, records, observed, coverage, firstDay } = loaderData;
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
      <CoverageLine coverage={coverage} />
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
          record={records && (records.find(({ planId }) => planId === plan.planId) ?? "none")}
          observed={observed}
          firstDay={firstDay}
        />
      ))}
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
