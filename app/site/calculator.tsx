import { Link } from "react-router";
import { keptPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import {
  type ProjectedPurchase,
  projectPlan,
  projectScenarios,
  scenarios,
} from "#core/mining/project-plan.ts";
import { formatUsd } from "#core/money.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { listOfferedPlans, type OfferedPlan } from "#server/contracts/queries.ts";
import type { Route } from "./+types/calculator";
import { orElse } from "./or-else.ts";
import { AssumptionTable } from "./plans/assumption-table.tsx";
import { CalculatorForm } from "./plans/calculator-form.tsx";
import { loadObserved } from "./plans/load-assumptions.ts";
import styles from "./plans/plans.module.css";
import { ProjectionChart } from "./plans/projection-chart.tsx";
import { purchaseOf } from "./plans/purchase-of.ts";
import {
  type Calculation,
  calculationFields,
  ownFigures,
  readCalculation,
} from "./plans/read-calculation.ts";
import { resultWords, ScenarioTable } from "./plans/scenario-table.tsx";
import { PageHead } from "./site-page.tsx";

export const handle = keptPage(...calculationFields);

export const meta = pageMeta({
  title: "Calculator",
  description:
    "What hashrate for a term comes to with your own assumptions of difficulty, price and uptime: result, break-even day or never, and the same money in bitcoin instead.",
  path: "/calculator",
});

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const now = app.now();
  const { typed, calculation, errors } = readCalculation(new URL(request.url).searchParams);
  const [plans, observed] = await Promise.all([
    orElse(app, listOfferedPlans(app.db, { now }), []),
    loadObserved(app, now),
  ]);
  const { price, network, networkFresh } = observed;
  const chosen = plans.find(({ slug }) => slug === typed.plan) ?? plans[0] ?? null;
  const plan = typed.plan === ownFigures ? null : chosen;
  const purchase = offerOf(plan, calculation, utcDay(now));
  const known = network && networkFresh ? network : null;
  const btcUsdE8 = calculation.btcUsdE8 ?? (price?.fresh ? price.usdE8 : null);
  const difficulty = calculation.difficulty ?? known?.difficulty ?? null;
  const feesPerBlockSats = calculation.feesPerBlockSats ?? known?.feesPerBlockSats ?? 0n;
  const start =
    btcUsdE8 !== null && difficulty !== null
      ? { btcUsdE8, difficulty, feesPerBlockSats, height: network?.height ?? heightOfToday }
      : null;
  return {
    plans: plans.map(({ slug, name }) => ({ slug, name })),
    plan,
    typed,
    errors,
    calculation,
    observed,
    purchase,
    start,
    isOffered: plans.length > 0,
  };
}

/** What would be bought: units of a plan, or what was typed of another offer; null before anything was. */
function offerOf(
  plan: OfferedPlan | null,
  { quantity, own }: Calculation,
  today: string,
): ProjectedPurchase | null {
  if (plan) return purchaseOf(plan, quantity, addDays(today, 1));
  return (
    own && {
      ghs: own.ghs * BigInt(quantity),
      termDays: own.termDays,
      priceUsdCents: own.priceUsdCents * BigInt(quantity),
      maintenanceUsdMicros: own.feeUsdMicros,
      maintenanceChanges: [],
    }
  );
}

/** Where the chain stood when this was written: only the subsidy follows from it, where no figure is at hand. */
const heightOfToday = 925_000;

export default function Calculator({ loaderData }: Route.ComponentProps) {
  const { plans, plan, typed, errors, calculation, observed, purchase, start } = loaderData;
  const own = { name: "Your assumptions", ...calculation };
  const isWhole = Object.keys(errors).length === 0;
  return (
    <div className={styles.page}>
      <PageHead
        title="Calculator"
        lead="What hashrate for a term comes to if things go as you assume. It is arithmetic, no forecast: nobody knows difficulty or price of a later day."
      />
      <div className={styles.columns}>
        <CalculatorForm
          plans={plans}
          plan={plan}
          typed={typed}
          errors={errors}
          observed={observed}
        />
        <section className={styles.results} aria-labelledby="results">
          {purchase && start && isWhole ? (
            <Results purchase={purchase} start={start} own={own} />
          ) : (
            <>
              <h2 id="results">No result yet</h2>
              <p>
                {!isWhole
                  ? "Some figures cannot be read. They are marked in the form."
                  : missing(loaderData)}
              </p>
            </>
          )}
          {purchase && start ? (
            <AssumptionTable
              plan={plan}
              purchase={purchase}
              start={start}
              calculation={calculation}
              observed={observed}
            />
          ) : null}
          <p className={styles.law}>
            {plan ? (
              <>
                <Link to={`/plans#${plan.slug}`}>What {plan.name} is made of</Link>, and what past
                contracts of it really returned.
              </>
            ) : (
              <Link to="/plans">The plans that are offered</Link>
            )}
          </p>
        </section>
      </div>
    </div>
  );
}

function missing({ purchase, calculation, observed }: Data): string {
  if (!purchase)
    return "No plan is offered at the moment. Type hashrate, term, price and maintenance of any offer in the form and calculate.";
  const noPrice = calculation.btcUsdE8 === null && !observed.price?.fresh;
  const noDifficulty = calculation.difficulty === null && !observed.networkFresh;
  const unknown =
    noPrice && noDifficulty
      ? "Neither a fresh price of bitcoin nor the network's difficulty is known"
      : noPrice
        ? "There is no fresh price of bitcoin"
        : "The network's difficulty is not known";
  return `${unknown} at the moment. Type your own in the form and calculate again.`;
}

type Data = Route.ComponentProps["loaderData"];

function Results({
  purchase,
  start,
  own,
}: {
  purchase: NonNullable<Data["purchase"]>;
  start: NonNullable<Data["start"]>;
  own: { name: string } & Data["calculation"];
}) {
  const projection = projectPlan(purchase, start, own);
  const others = scenarios.map((scenario) => projectPlan(purchase, start, scenario));
  return (
    <>
      <h2 id="results">Result</h2>
      <p className={styles.answer}>
        {formatGhs(purchase.ghs)} for {purchase.termDays} days at{" "}
        {formatUsd(purchase.priceUsdCents)}: <strong>{resultWords(projection.netUsdMicros)}</strong>
        .{" "}
        {projection.breakEvenDays === null
          ? "With your assumptions the price is never covered."
          : `With your assumptions the price is covered on day ${projection.breakEvenDays} of ${projection.days}.`}
      </p>
      <ProjectionChart own={projection} others={others} />
      <ScenarioTable
        label="Your assumptions beside others, the worst first"
        results={projectScenarios(purchase, start, [own, ...scenarios])}
      />
    </>
  );
}
