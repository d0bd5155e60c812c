import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { writeDecimal } from "#core/decimal.ts";
import type { Sum } from "#core/markets/business-figures.ts";
import type { PoolShare } from "#server/console/business/read-business.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { amountOf, type ShownUnit, writeAmount } from "./figure-words.ts";

/** What each pool paid for the days of the period, and which part of all that is. */
export function PoolShares({
  pools,
  total,
  unit,
}: {
  pools: PoolShare[];
  total: Sum;
  unit: ShownUnit;
}) {
  return (
    <Panel
      title="The pools' share"
      aside={<Hallmark to="/operator/payouts" label="The payouts with their evidence" />}
      flush={pools.length > 0}
    >
      {pools.length === 0 ? (
        <EmptyState>No pool paid anything for these days.</EmptyState>
      ) : (
        <ConsoleTable
          label="What each pool paid"
          bare
          rows={pools}
          rowKey={({ poolId }) => poolId}
          columns={[
            { head: "Pool", value: "pool" },
            {
              head: "Paid",
              kind: "number",
              align: "right",
              cell: ({ paid }) => writeSum(paid, unit),
            },
            {
              head: "Share",
              kind: "number",
              align: "right",
              cell: ({ paid }) => percent(paid.coins.BTC, total.coins.BTC),
            },
          ]}
        />
      )}
    </Panel>
  );
}

/** Pools pay in bitcoin; in another coin there is nothing to show. */
function writeSum(sum: Sum, unit: ShownUnit): string {
  const amount = amountOf(sum, unit === "USD" ? "USD" : "BTC");
  return amount === null ? "no price" : writeAmount(amount, unit === "USD" ? "USD" : "BTC");
}

function percent(part: bigint, all: bigint): string {
  if (all === 0n) return "–";
  return `${writeDecimal((part * 1000n) / all, 1)} %`;
}
