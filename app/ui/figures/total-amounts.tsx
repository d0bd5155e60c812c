import { type Coin, coins } from "#core/asset.ts";
import { Amount } from "./amount.tsx";

/** What there is in all, one line for each coin. */
export function TotalAmounts({ totals }: { totals: Partial<Record<Coin, bigint>> }) {
  return coins.map((coin) => {
    const units = totals[coin];
    return units === undefined ? null : (
      <div key={coin}>
        <Amount units={units} asset={coin} />
      </div>
    );
  });
}
