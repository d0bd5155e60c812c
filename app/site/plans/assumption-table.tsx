import { formatAge } from "#app/ui/figures/format-time.ts";
import { StackedTable } from "#app/ui/tables/stacked-table.tsx";
import { blockSubsidySats } from "#core/mining/block-subsidy.ts";
import type { ProjectedPurchase, ProjectedStart } from "#core/mining/project-plan.ts";
import { formatAmount, formatUsd, formatUsdMicros } from "#core/money.ts";
import { formatPrice } from "#core/price.ts";
import { formatCount } from "../home/network-words.ts";
import type { Observed } from "./load-assumptions.ts";
import styles from "./plans.module.css";
import type { Calculation } from "./read-calculation.ts";

interface AssumptionTableProps {
  plan: { name: string; version: number } | null;
  purchase: ProjectedPurchase;
  start: ProjectedStart;
  calculation: Calculation;
  observed: Observed;
}

/** Every figure that went in, where it comes from, and how old it is. */
export function AssumptionTable(props: AssumptionTableProps) {
  const { plan, purchase, start, calculation, observed } = props;
  const { price, network } = observed;
  const yours = "From the form";
  const ofPlan = plan ? `${plan.name}, version ${plan.version}` : yours;
  const ofNetwork = network
    ? `${network.host}, ${ageOf(network.ageMs)}${network.simulated ? ", simulated" : ""}`
    : "Assumed: none";
  return (
    <StackedTable
      label="How it was calculated"
      className={styles.assumptions}
      head={["Figure", "Value", "From"]}
      rows={[
        [
          "Price and term",
          `${formatUsd(purchase.priceUsdCents)}, ${purchase.termDays} days`,
          ofPlan,
        ],
        [
          "Maintenance fee per TH/s per day",
          formatUsdMicros(purchase.maintenanceUsdMicros, 4) +
            purchase.maintenanceChanges
              .map(
                ({ fromDay, usdMicros }) =>
                  `; ${formatUsdMicros(usdMicros, 4)} from day ${fromDay + 1}`,
              )
              .join(""),
          ofPlan,
        ],
        [
          "Bitcoin price",
          formatPrice(start.btcUsdE8),
          calculation.btcUsdE8 !== null || !price
            ? yours
            : `${price.sources} exchanges, ${ageOf(price.ageMs)}${price.simulated ? ", simulated" : ""}`,
        ],
        [
          "Difficulty",
          formatCount(start.difficulty),
          calculation.difficulty !== null ? yours : ofNetwork,
        ],
        [
          "New coins per block",
          `${formatAmount(blockSubsidySats(start.height), "BTC")} BTC, halved at its height`,
          network ? `Block ${network.height.toLocaleString("en-US")}` : "The rules of the network",
        ],
        [
          "Fees per block",
          `${formatAmount(start.feesPerBlockSats, "BTC")} BTC`,
          calculation.feesPerBlockSats !== null ? yours : ofNetwork,
        ],
      ]}
    />
  );
}

function ageOf(ageMs: number): string {
  return formatAge(new Date(0), new Date(ageMs));
}
