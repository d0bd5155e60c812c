import { withMinus } from "#app/ui/figures/with-minus.ts";
import { StackedTable } from "#app/ui/tables/stacked-table.tsx";
import { purchaseOf } from "#core/mining/expected-result.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { networkPaysPerThsDay, pricePerThsDay } from "#core/mining/plan-costs.ts";
import { type ProjectedStart, projectScenarios } from "#core/mining/project-plan.ts";
import { formatUsd, formatUsdMicros } from "#core/money.ts";
import type { OfferedPlan } from "#server/contracts/list-offered-plans.ts";
import type { Observed } from "./load-assumptions.ts";
import styles from "./plans.module.css";
import { sizesOf } from "./sizes-of.ts";

/** Price and network as a projection takes them; null where one of them is not fresh. */
export function startOf({ price, network, networkFresh }: Observed):
  | (ProjectedStart & {
      subsidySats: bigint;
    })
  | null {
  return price?.fresh && network && networkFresh ? { ...network, btcUsdE8: price.usdE8 } : null;
}

/** What a day of a plan costs, and what the network pays for it, of one TH/s and in millionths of a dollar. */
export function dayOf(plan: OfferedPlan, observed: Observed) {
  const start = startOf(observed);
  return {
    price: pricePerThsDay(plan),
    maintenance: plan.maintenanceTodayUsdMicros,
    pays: start && networkPaysPerThsDay(start, start.btcUsdE8),
  };
}

/** The worst and the best of the scenarios: "−$2.82 to −$2.15". */
export function rangeOf(plan: OfferedPlan, units: number, start: ProjectedStart, firstDay: string) {
  const results = projectScenarios(purchaseOf(plan, units, firstDay), start);
  const [worst, best] = [results[0], results.at(-1)].map((each) =>
    signed(each?.projection.netUsdMicros ?? 0n),
  );
  return `${worst} to ${best}`;
}

function signed(micros: bigint): string {
  return (micros > 0n ? "+" : "") + withMinus(formatUsdMicros(micros));
}

interface PlanSizesProps {
  plan: OfferedPlan;
  observed: Observed;
  firstDay: string;
}

/** A plan at sizes that can be judged: one unit may be a few dollars. */
export function PlanSizes({ plan, observed, firstDay }: PlanSizesProps) {
  const start = startOf(observed);
  const { price, maintenance, pays } = dayOf(plan, observed);
  const known = pays !== null && start !== null;
  const head = ["Hashrate", "Price", "Costs a day"];
  return (
    <StackedTable
      label={`Sizes of ${plan.name}`}
      className={styles.sizes}
      figures
      head={known ? [...head, "Network pays a day", "Worst to best scenario"] : head}
      {...(known && { answer: 4 })}
      rows={sizesOf(plan).map((units) => {
        const ghs = plan.unitGhs * BigInt(units);
        const ofSize = (perThs: bigint) => formatUsdMicros((perThs * ghs) / 1000n);
        return [
          formatGhs(ghs),
          formatUsd(plan.priceUsdCents * BigInt(units)),
          ofSize(price + maintenance),
          ...(known ? [ofSize(pays), rangeOf(plan, units, start, firstDay)] : []),
        ];
      })}
    />
  );
}
