import { Title } from "@mantine/core";
import { Link } from "react-router";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { projectScenarios } from "#core/mining/project-plan.ts";
import { formatUsd } from "#core/money.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import type { OfferedPlan } from "#server/contracts/queries.ts";
import inputs from "../field-input.module.css";
import home from "../home-section.module.css";
import type { Observed } from "./load-assumptions.ts";
import { ObservedLine } from "./observed.tsx";
import styles from "./plans.module.css";
import { purchaseOf } from "./purchase-of.ts";
import { breakEvenWords, resultWords } from "./scenario-table.tsx";

interface CalculatorTeaserProps {
  plan: OfferedPlan;
  observed: Observed;
  now: Date;
}

/** What one unit of a plan comes to at worst and at best of the scenarios, and the way to one's own assumptions. */
export function CalculatorTeaser({ plan, observed, now }: CalculatorTeaserProps) {
  const { price, network, networkFresh } = observed;
  if (!price?.fresh || !network || !networkFresh) return null;
  const start = { ...network, btcUsdE8: price.usdE8 };
  const results = projectScenarios(purchaseOf(plan, 1, addDays(utcDay(now), 1)), start);
  const shown = [results[0], results.at(-1)].filter((each) => each !== undefined);
  return (
    <section className={`${home.section} ${styles.teaser}`} aria-labelledby="calculator">
      <Title order={2} id="calculator" className={home.heading}>
        What would it come to?
      </Title>
      <p className={home.lead}>
        {plan.name}: {formatGhs(plan.unitGhs)} for {plan.termDays} days at{" "}
        {formatUsd(plan.priceUsdCents)}. The worst and the best of our scenarios, less maintenance
        and price. It is arithmetic, no forecast.
      </p>
      <ul className={styles.outcomes}>
        {shown.map(({ scenario, projection }) => (
          <li key={scenario.name}>
            <p className={styles.outcome}>{resultWords(projection.netUsdMicros)}</p>
            <p>{scenario.name}.</p>
            <p className={styles.hint}>Break-even: {breakEvenWords(projection)}</p>
          </li>
        ))}
      </ul>
      <form method="get" action="/calculator" className={styles.teaserForm}>
        <input type="hidden" name="plan" value={plan.slug} />
        <div className={styles.field}>
          <label htmlFor="teaser-change">Bitcoin at the end, per cent</label>
          <input
            className={inputs.input}
            id="teaser-change"
            name="change"
            defaultValue="-20"
            inputMode="decimal"
          />
        </div>
        <div className={styles.field}>
          <label htmlFor="teaser-growth">Difficulty every 14 days, per cent</label>
          <input
            className={inputs.input}
            id="teaser-growth"
            name="growth"
            defaultValue="2"
            inputMode="decimal"
          />
        </div>
        <button type="submit">Calculate</button>
      </form>
      <ObservedLine observed={observed} />
      <p className={styles.law}>
        <Link to="/plans">All plans, with what past contracts really returned</Link>
      </p>
    </section>
  );
}
