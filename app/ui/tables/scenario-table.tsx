import type { Projection, Scenario } from "#core/mining/project-plan.ts";
import { formatAmount, formatUsdMicros } from "#core/money.ts";
import { withMinus } from "../figures/with-minus.ts";
import { StackedTable } from "./stacked-table.tsx";

interface ScenarioTableProps {
  label: string;
  results: ReadonlyArray<{ scenario: Scenario & { name: string }; projection: Projection }>;
}

/** What each scenario comes to, the worst first. */
export function ScenarioTable({ label, results }: ScenarioTableProps) {
  return (
    <StackedTable
      label={label}
      figures
      answer={1}
      head={[
        "Scenario",
        "Result after the price",
        "Break-even",
        "Mined, less the fee",
        "Buying bitcoin instead",
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

/** By a word and a sign, never by colour alone. */
export function resultWords(netUsdMicros: bigint): string {
  const words = formatUsdMicros(netUsdMicros);
  if (words === "$0.00") return words;
  return netUsdMicros < 0n ? `${withMinus(words)}, a loss` : `+${words}, a gain`;
}

export function breakEvenWords({ breakEvenDays, days }: Projection): string {
  return breakEvenDays === null ? "never" : `day ${breakEvenDays} of ${days}`;
}
