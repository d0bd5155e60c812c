import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { resultWords, ScenarioTable } from "#app/ui/tables/scenario-table.tsx";
import { purchaseOf } from "#core/mining/expected-result.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import {
  type ProjectedPurchase,
  type ProjectedStart,
  type Projection,
  projectPlan,
  projectScenarios,
  scenarios,
} from "#core/mining/project-plan.ts";
import { formatUsd } from "#core/money.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { listOfferedPlans, type OfferedPlan } from "#server/contracts/list-offered-plans.ts";
import { orElse } from "../frame/or-else.ts";
import { PageHead } from "../frame/site-page.tsx";
import type { Route } from "./+types/calculator";
import { AssumptionTable } from "./assumption-table.tsx";
import { CalculatorForm } from "./calculator-form.tsx";
import { loadObserved, type Observed } from "./load-assumptions.ts";
import styles from "./plans.module.css";
import { prefillOf, withoutPrefilled } from "./prefill.ts";
import { insteadNet, ProjectionChart } from "./projection-chart.tsx";
import {
  type Calculation,
  calculationFields,
  ownFigures,
  readCalculation,
} from "./read-calculation.ts";
import { sizesOf } from "./sizes-of.ts";

export const handle = cachedPage(...calculationFields);

export const meta = pageMeta({
  title: "Calculator",
  description:
    "What hashrate for a term comes to with your own assumptions of difficulty, price and uptime: result, break-even day or never, and the same money in bitcoin instead.",
  path: "/calculator",
});

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const now = app.now();
  const [plans, observed] = await Promise.all([
    orElse(app, listOfferedPlans(app.db, { now }), []),
    loadObserved(app, now),
  ]);
  const prefilled = prefillOf(observed);
  const asked = withoutPrefilled(new URL(request.url).searchParams, prefilled);
  const chosen = plans.find(({ slug }) => slug === asked.get("plan")) ?? plans[0] ?? null;
  if (!asked.get("quantity") && asked.get("plan") !== ownFigures && chosen) {
    // A size that can be judged: one unit may be a few dollars.
    asked.set("quantity", String(sizesOf(chosen).at(-1) ?? 1));
  }
  const { typed, calculation, errors } = readCalculation(asked);
  const plan = typed.plan === ownFigures ? null : chosen;
  const purchase = offerOf(plan, calculation, utcDay(now));
  const start = startWith(calculation, observed);
  return {
    plans: plans.map(({ slug, name }) => ({ slug, name })),
    plan,
    typed,
    errors,
    calculation,
    observed,
    prefilled,
    purchase,
    start,
  };
}

/** How things are when it begins: as typed, or else as observed; null where either has no price or no difficulty. */
function startWith(
  typed: Calculation,
  { price, network, networkFresh }: Observed,
): ProjectedStart | null {
  const known = network && networkFresh ? network : null;
  const btcUsdE8 = typed.btcUsdE8 ?? (price?.fresh ? price.usdE8 : null);
  const difficulty = typed.difficulty ?? known?.difficulty ?? null;
  if (btcUsdE8 === null || difficulty === null) return null;
  const feesPerBlockSats = typed.feesPerBlockSats ?? known?.feesPerBlockSats ?? 0n;
  return { btcUsdE8, difficulty, feesPerBlockSats, height: network?.height ?? heightOfToday };
}

/** What would be bought: units of a plan, or of another offer once all of its figures are typed; else null. */
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

/** The chain's height when this was written: only the subsidy follows from it, where no figure is at hand. */
const heightOfToday = 925_000;

export default function Calculator({ loaderData }: Route.ComponentProps) {
  const { plans, plan, typed, errors, calculation, observed, prefilled } = loaderData;
  const { purchase, start } = loaderData;
  const own = { name: "Your assumptions", ...calculation };
  const isWhole = Object.keys(errors).length === 0;
  const isCalculated = purchase && start && isWhole;
  return (
    <div className={styles.page}>
      <PageHead
        title="Calculator"
        lead="What hashrate for a term comes to if things go as you assume. This is arithmetic, not a forecast: no one knows the difficulty or the price of a later day."
      />
      <div className={styles.columns}>
        <CalculatorForm
          plans={plans}
          plan={plan}
          typed={typed}
          errors={errors}
          observed={observed}
          prefilled={prefilled}
        />
        <div className={styles.results}>
          <div className={styles.answer} aria-live="polite" data-calculated="answer">
            {isCalculated ? (
              <Answer purchase={purchase} projection={projectPlan(purchase, start, own)} />
            ) : (
              <>
                <h2>No result yet</h2>
                <p>
                  {isWhole
                    ? missing(loaderData)
                    : "Some figures cannot be read. They are marked in the form."}
                </p>
              </>
            )}
          </div>
          <div className={styles.detail} data-calculated="detail">
            {isCalculated ? <Details purchase={purchase} start={start} own={own} /> : null}
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
          </div>
        </div>
      </div>
    </div>
  );
}

function missing({ purchase, calculation, observed }: Data): string {
  if (!purchase)
    return "No plan is offered at the moment. Enter hashrate, term, price and maintenance fee of any offer in the form.";
  const noPrice = calculation.btcUsdE8 === null && !observed.price?.fresh;
  const noDifficulty = calculation.difficulty === null && !observed.networkFresh;
  const unknown =
    noPrice && noDifficulty
      ? "Neither a fresh price of bitcoin nor the network's difficulty is known"
      : noPrice
        ? "There is no fresh price of bitcoin"
        : "The network's difficulty is not known";
  return `${unknown} at the moment. Enter your own figures in the form.`;
}

type Data = Route.ComponentProps["loaderData"];

/** The result first, next to the same money in bitcoin. It stays in view while the figures are changed. */
function Answer({
  purchase,
  projection,
}: {
  purchase: NonNullable<Data["purchase"]>;
  projection: Projection;
}) {
  const { netUsdMicros, breakEvenDays, days } = projection;
  return (
    <>
      <h2 className={styles.verdict}>{resultWords(netUsdMicros)}</h2>
      <p>
        {formatGhs(purchase.ghs)} for {purchase.termDays} days at{" "}
        {formatUsd(purchase.priceUsdCents)}.{" "}
        {breakEvenDays === null
          ? "The price is never covered."
          : `The price is covered on day ${breakEvenDays} of ${days}.`}{" "}
        Buying bitcoin instead:{" "}
        <span className={styles.whole}>{resultWords(insteadNet(purchase, projection))}</span>.
      </p>
    </>
  );
}

function Details({
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
      <ProjectionChart purchase={purchase} own={projection} others={others} />
      <ScenarioTable
        label="Your assumptions and our scenarios, the worst first"
        results={projectScenarios(purchase, start, [own, ...scenarios])}
      />
    </>
  );
}
