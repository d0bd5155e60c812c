import { withMinus } from "#app/ui/with-minus.ts";
import type { Projection, Scenario } from "#core/mining/project-plan.ts";
import { formatAmount, formatUsdMicros } from "#core/money.ts";
import { StackedTable } from "../stacked-table.tsx";
import styles from "./plans.module.css";

interface ScenarioTableProps {
  label: string;
  results: ReadonlyArray<{ scenario: Scenario & { name: string }; projection: Projection }>;
}

/** What each scenario comes to, the worst first. */
export function ScenarioTable({ label, results }: ScenarioTableProps) {
  return (
    <StackedTable
      label={label}
      className={styles.scenarios}
      head={[
        "If this happens",
        "Result after the price",
        "Break-even",
        "Mined, less maintenance",
        "The same money in BTC instead",
      ]}
      rows={results.map(({ scenario, projection }) => [
        scenario.name,
        resultWords(projection.netUsdMicros),
        breakEvenWords(projection),
        `${withMinus(formatAmount(projection.minedSats - projection.feeSats, "BTC"))} BTC`,
        `${formatAmount(projection.insteadSats, "BTC")} BTC`,
      ])}
    />
  );
}

/** Said by a word and a sign, never by colour alone. */
export function resultWords(netUsdMicros: bigint): string {
  if (netUsdMicros < 0n) return `${withMinus(formatUsdMicros(netUsdMicros))}, a loss`;
  return netUsdMicros === 0n ? "$0.00" : `+${formatUsdMicros(netUsdMicros)}, a gain`;
}

export function breakEvenWords({ breakEvenDays, days }: Projection): string {
  return breakEvenDays === null ? "never" : `day ${breakEvenDays} of ${days}`;
}
