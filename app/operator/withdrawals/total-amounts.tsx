import { Amount } from "#app/ui/figures/amount.tsx";
import { coins } from "#core/asset.ts";
import type { Totals } from "#server/withdrawals/batches/list-batches.ts";

/** What is paid in all, one line for each coin. */
export function TotalAmounts({ totals }: { totals: Totals }) {
  return coins.map((coin) => {
    const units = totals[coin];
    return units === undefined ? null : (
      <div key={coin}>
        <Amount units={units} asset={coin} />
      </div>
    );
  });
}
