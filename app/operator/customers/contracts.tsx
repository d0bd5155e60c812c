import { Amount } from "#app/ui/figures/amount.tsx";
import { stateWords } from "#app/ui/figures/contract-state-words.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { contractState } from "#core/mining/contract-state.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { formatUsd } from "#core/money.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import {
  type ContractWithTotals,
  listContractsWithTotals,
} from "#server/mining/contracts/list-contracts-with-totals.ts";
import { type Clock, listClocks } from "#server/mining/grace-periods/list-clocks.ts";
import { ClockEnd } from "../parts/clock-end.tsx";
import { ConsoleError } from "../parts/console-error.tsx";
import list from "../parts/console-list.module.css";
import type { Route } from "./+types/contracts";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("mining/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Contracts of a customer");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { frame, db, id, at } = await readSection(context, params.customerId);
  const [contracts, clocks] = await Promise.all([
    listContractsWithTotals(db, id),
    listClocks(db, { now: at, customerId: id }),
  ]);
  return { frame, contracts, clocks, now: at };
}

export default function CustomerContracts({ loaderData }: Route.ComponentProps) {
  const { frame, contracts, clocks, now } = loaderData;
  return (
    <CustomerFrame frame={frame}>
      <Panel title="Contracts, newest first" flush>
        {contracts.length === 0 ? (
          <p className={list.empty}>Nothing yet.</p>
        ) : (
          <Contracts contracts={contracts} clocks={clocks} now={now} />
        )}
      </Panel>
    </CustomerFrame>
  );
}

interface ContractsProps {
  contracts: ContractWithTotals[];
  clocks: Clock[];
  now: Date;
}

function Contracts({ contracts, clocks, now }: ContractsProps) {
  return (
    <DataTable
      label="Contracts"
      bare
      rows={contracts}
      rowKey={({ contractId }) => contractId}
      columns={[
        {
          head: "Plan",
          cell: ({ quantity, planName, ghs }) => (
            <>
              {quantity} × {planName}
              <div className={list.second}>{formatHashrate(ghs)}</div>
            </>
          ),
        },
        {
          head: "State",
          cell: (contract) => <State contract={contract} clocks={clocks} now={now} />,
        },
        {
          head: "Bought",
          sort: { column: "bought", first: "desc", by: ({ boughtAt }) => boughtAt },
          cell: ({ boughtAt }) => <When at={boughtAt} />,
        },
        {
          head: "Price",
          className: list.number,
          sort: { column: "usd", first: "desc", by: ({ usdCents }) => usdCents },
          cell: ({ units, coin, usdCents }) => (
            <>
              <Amount units={units} asset={coin} />
              <div className={list.second}>{formatUsd(usdCents)}</div>
            </>
          ),
        },
        {
          head: "Days (UTC)",
          cellClass: list.day,
          sort: { column: "starts", by: ({ startsOn }) => startsOn },
          cell: ({ startsOn, lastDay, projectedLastDay, plannedLastDay }) => (
            <>
              {startsOn}
              <div className={list.second}>to {lastDay ?? projectedLastDay ?? plannedLastDay}</div>
            </>
          ),
        },
        {
          head: "Credited",
          className: list.number,
          sort: { column: "credited", first: "desc", by: ({ creditedSats }) => creditedSats },
          cell: ({ creditedSats }) => <Amount units={creditedSats} asset="BTC" />,
        },
        {
          head: "Maintenance",
          className: list.number,
          sort: { column: "fees", first: "desc", by: ({ feesSats }) => feesSats },
          cell: ({ feesSats }) => <Amount units={feesSats} asset="BTC" />,
        },
        {
          head: "Unpaid",
          className: list.number,
          sort: { column: "unpaid", first: "desc", by: ({ unpaidSats }) => unpaidSats },
          cell: ({ unpaidSats }) => <Amount units={unpaidSats} asset="BTC" />,
        },
      ]}
    />
  );
}

function State({
  contract,
  clocks,
  now,
}: Pick<ContractsProps, "clocks" | "now"> & { contract: ContractWithTotals }) {
  const { word, tone } = stateWords[contractState(contract, now)];
  const clock = clocks.find(({ contractId }) => contractId === contract.contractId);
  return (
    <>
      <StatusBadge status={word} tone={tone} />
      {clock ? (
        <div className={list.second}>
          Cancelled not before <ClockEnd clock={clock} />
        </div>
      ) : null}
    </>
  );
}
