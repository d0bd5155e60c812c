import { Amount } from "#app/ui/figures/amount.tsx";
import { stateWords } from "#app/ui/figures/contract-state-words.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { contractState } from "#core/mining/contract-state.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { formatUsd } from "#core/money.ts";
import {
  type ContractWithTotals,
  listContractsWithTotals,
} from "#server/mining/contracts/list-contracts-with-totals.ts";
import { type Clock, listClocks } from "#server/mining/grace-periods/list-clocks.ts";
import { ClockEnd } from "../parts/clock-end.tsx";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { guard } from "../parts/route.ts";
import type { Route } from "./+types/contracts";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";

export const middleware = guard("mining/read");
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
    <ConsoleTable
      label="Contracts"
      bare
      rows={contracts}
      rowKey={({ contractId }) => contractId}
      columns={[
        {
          head: "Plan",
          cell: ({ quantity, planName }) => `${quantity} × ${planName}`,
          second: ({ ghs }) => formatHashrate(ghs),
        },
        {
          head: "State",
          cell: (contract) => <State contract={contract} clocks={clocks} now={now} />,
        },
        { head: "Bought", sort: "-bought", value: "boughtAt" },
        {
          head: "Price",
          kind: "number",
          sort: "-usd",
          value: "usdCents",
          cell: ({ units, coin }) => <Amount units={units} asset={coin} />,
          second: ({ usdCents }) => formatUsd(usdCents),
        },
        {
          head: "Days (UTC)",
          kind: "day",
          sort: "starts",
          value: "startsOn",
          second: ({ lastDay, projectedLastDay, plannedLastDay }) =>
            `to ${lastDay ?? projectedLastDay ?? plannedLastDay}`,
        },
        { head: "Credited", sort: "-credited", value: "creditedSats", format: "btc" },
        { head: "Maintenance", sort: "-fees", value: "feesSats", format: "btc" },
        { head: "Unpaid", sort: "-unpaid", value: "unpaidSats", format: "btc" },
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
