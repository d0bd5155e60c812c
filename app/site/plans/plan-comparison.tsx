import { StackedTable } from "#app/ui/tables/stacked-table.tsx";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatUsdMicros } from "#core/money.ts";
import type { OfferedPlan } from "#server/contracts/list-offered-plans.ts";
import type { Observed } from "./load-assumptions.ts";
import { dayOf, rangeOf, startOf } from "./plan-sizes.tsx";
import styles from "./plans.module.css";
import { sizesOf } from "./sizes-of.ts";

interface PlanComparisonProps {
  plans: OfferedPlan[];
  observed: Observed;
  firstDay: string;
}

/** The plans side by side, each by the figures that decide. */
export function PlanComparison({ plans, observed, firstDay }: PlanComparisonProps) {
  const start = startOf(observed);
  const head = ["Plan", "Term", "Price per TH/s per day", "Maintenance fee", "Costs in all"];
  return (
    <section className={styles.comparison} aria-labelledby="comparison">
      <h2 id="comparison">Plans side by side</h2>
      <StackedTable
        label="Plans side by side"
        figures
        head={[
          ...head,
          ...(start ? ["Hashrate", "Result, worst to best scenario"] : []),
          "Available",
        ]}
        {...(start && { answer: 6 })}
        rows={plans.map((plan) => {
          const { price, maintenance } = dayOf(plan, observed);
          const units = sizesOf(plan).at(-1) ?? 1;
          const size = formatGhs(plan.unitGhs * BigInt(units));
          return [
            plan.name,
            `${plan.termDays} days`,
            formatUsdMicros(price, 4),
            formatUsdMicros(maintenance, 4),
            formatUsdMicros(price + maintenance, 4),
            ...(start ? [size, rangeOf(plan, units, start, firstDay)] : []),
            plan.freeUnits > 0 ? formatGhs(plan.unitGhs * BigInt(plan.freeUnits)) : "sold out",
          ];
        })}
      />
      {start ? (
        <p className={styles.note}>
          The network pays {formatUsdMicros(dayOf(plans[0] as OfferedPlan, observed).pays ?? 0n, 4)}{" "}
          per TH/s per day at today's figures.
        </p>
      ) : null}
    </section>
  );
}
