import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatUsd } from "#core/money.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import type { OfferedPlan } from "#server/contracts/list-offered-plans.ts";
import { CostBars } from "../plans/cost-bars.tsx";
import type { Observed } from "../plans/load-assumptions.ts";
import { ObservedLine } from "../plans/observed.tsx";
import { dayOf, rangeOf, startOf } from "../plans/plan-sizes.tsx";
import { sizesOf } from "../plans/sizes-of.ts";
import styles from "./home-plans.module.css";
import home from "./home-section.module.css";

/** The other plans are on their page. */
const shown = 3;

interface HomePlansProps {
  plans: OfferedPlan[];
  observed: Observed;
  now: Date;
}

/** What the plans cost next to what the network pays, and what they come to: the price before anything else is praised. */
export function HomePlans({ plans, observed, now }: HomePlansProps) {
  const firstDay = addDays(utcDay(now), 1);
  const start = startOf(observed);
  return (
    <section className={`${home.section} ${styles.section}`} aria-labelledby="prices">
      <h2 id="prices" className={home.heading}>
        What it costs, and what the network pays
      </h2>
      <p className={home.lead}>
        The results are those of our worst and our best scenario, less maintenance fee and price.
        This is arithmetic, not a forecast.
      </p>
      <ul className={styles.plans}>
        {plans.slice(0, shown).map((plan) => {
          const units = sizesOf(plan).at(-1) ?? 1;
          return (
            <li key={plan.slug} className={styles.plan}>
              <h3>
                <Link to={`/plans#${plan.slug}`}>{plan.name}</Link>
              </h3>
              <p className={styles.term}>
                {formatGhs(plan.unitGhs * BigInt(units))} for {plan.termDays} days at{" "}
                {formatUsd(plan.priceUsdCents * BigInt(units))}
              </p>
              <CostBars {...dayOf(plan, observed)} />
              {start ? (
                <p className={styles.result}>
                  <span>Result over the term, worst to best scenario</span>
                  <strong>{rangeOf(plan, units, start, firstDay)}</strong>
                </p>
              ) : null}
            </li>
          );
        })}
      </ul>
      <div className={styles.ways}>
        <ButtonLink to="/plans" look="outline">
          Compare the plans
        </ButtonLink>
        <ButtonLink to="/calculator" look="quiet">
          Try your own assumptions
        </ButtonLink>
      </div>
      <ObservedLine observed={observed} />
    </section>
  );
}
