import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { type Coin, coins } from "#core/asset.ts";
import type { HouseAccount } from "#server/ledger/account.ts";
import { listHouseBalances } from "#server/ledger/list-house-balances.ts";
import { listLackingOfDeposits, listOwnMoney } from "#server/ledger/list-own-money.ts";
import styles from "../parts/console-list.module.css";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/own-money";

export const middleware = guard("adjustments/read");
export const meta = titled("Own money");

/** The accounts that make it up, in the order of the statement; what lessens it has a minus. */
const lines: Array<{ account: HouseAccount; name: string; sign: 1n | -1n }> = [
  { account: "operator_equity", name: "Paid in, and our share of payouts, less gifts", sign: 1n },
  { account: "contract_revenue", name: "Contract income", sign: 1n },
  { account: "maintenance_revenue", name: "Maintenance fees", sign: 1n },
  { account: "inactivity_revenue", name: "Inactivity fees", sign: 1n },
  { account: "withdrawal_fee_revenue", name: "Withdrawal fees", sign: 1n },
  { account: "network_fee_expense", name: "Network fees paid", sign: -1n },
  { account: "operator_drawings", name: "Taken out", sign: -1n },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = consoleOf(context);
  const [house, own, lacking] = await Promise.all([
    listHouseBalances(db),
    listOwnMoney(db),
    listLackingOfDeposits(db),
  ]);
  const accounts = new Set<string>(lines.map(({ account }) => account));
  const balances = house.filter(({ account }) => accounts.has(account));
  const isHeld = (coin: Coin) =>
    [...balances, ...own, ...lacking].some(({ asset, units }) => asset === coin && units !== 0n);
  const shown = coins.filter((coin) => config.coins.includes(coin) || isHeld(coin));
  return { coins: shown, balances, own, lacking };
}

export default function OwnMoneyPage({ loaderData }: Route.ComponentProps) {
  const { coins, balances, own, lacking } = loaderData;
  const unitsOf = (account: HouseAccount, coin: Coin) =>
    balances.find((each) => each.account === account && each.asset === coin)?.units ?? 0n;
  const lackingOf = (coin: Coin) => lacking.find(({ asset }) => asset === coin)?.units ?? 0n;
  return (
    <>
      <PageHeader
        title="Own money"
        description="What is the operator's own of the coins in custody. No more than this can be given or taken out."
        actions={<Link to="/operator/adjustments">Adjustments</Link>}
      />
      <DataTable
        label="Statement of own money"
        rows={[
          ...lines.map(({ account, name, sign }) => ({
            name,
            unitsOf: (coin: Coin) => sign * unitsOf(account, coin),
          })),
          {
            name: "Spent by customers from deposits that we are reversing",
            unitsOf: (coin: Coin) => -lackingOf(coin),
          },
        ]}
        rowKey={({ name }) => name}
        columns={[
          { head: "Since the start", foot: "Can be taken out now", cell: ({ name }) => name },
          ...coins.map((coin) => ({
            head: coin,
            className: styles.number,
            cell: (line: { unitsOf: (coin: Coin) => bigint }) => (
              <Amount units={line.unitsOf(coin)} asset={coin} bare />
            ),
            foot: (
              <Amount
                units={own.find(({ asset }) => asset === coin)?.units ?? 0n}
                asset={coin}
                bare
              />
            ),
          })),
        ]}
      />
      <p className={styles.second}>
        If we credited customers more than pools have paid so far, the difference is deducted from
        the last row.
      </p>
    </>
  );
}
