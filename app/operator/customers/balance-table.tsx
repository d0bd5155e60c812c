import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { useCoins } from "#app/ui/figures/use-coins.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { shownCoins } from "#core/asset.ts";
import type { Balances } from "#server/ledger/get-balances.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";

interface BalanceTableProps {
  balances: Balances;
  /** US dollars of the deposits that were not rejected, and of those that still wait. */
  totals: { totalUsdCents: bigint; pendingUsdCents: bigint };
}

/** What a customer has of each coin, as the ledger says. There is no way to type one of these figures. */
export function BalanceTable({ balances, totals }: BalanceTableProps) {
  const coins = shownCoins(useCoins(), balances);
  return (
    <Panel
      title="Balances"
      aside={
        <span className={styles.second}>
          Deposits <Usd cents={totals.totalUsdCents} />, of which{" "}
          <Usd cents={totals.pendingUsdCents} /> waiting
        </span>
      }
      flush
    >
      <ConsoleTable
        label="Balances by coin"
        bare
        rows={coins}
        rowKey={(coin) => coin}
        columns={[
          { head: "Coin", cell: (coin) => coin },
          {
            head: "Available",
            kind: "number",
            cell: (coin) => <Amount units={balances[coin].available} asset={coin} />,
          },
          {
            head: "Held",
            kind: "number",
            cell: (coin) => <Amount units={balances[coin].held} asset={coin} />,
          },
        ]}
      />
    </Panel>
  );
}
