import { Amount } from "#app/ui/amount.tsx";
import { stateWords } from "#app/ui/contract-state-words.ts";
import { TableFrame } from "#app/ui/data-table.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { contractState } from "#core/mining/contract-state.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { formatUsd } from "#core/money.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import {
  type Clock,
  type ContractWithTotals,
  listClocks,
  listContractsWithTotals,
} from "#server/mining/queries.ts";
import { ClockEnd } from "../clock-end.tsx";
import { ConsoleError } from "../console-error.tsx";
import list from "../console-list.module.css";
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
          <TableFrame label="Contracts" bare>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Plan</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Bought</Table.Th>
                <Table.Th className={list.number}>Price</Table.Th>
                <Table.Th>Days (UTC)</Table.Th>
                <Table.Th className={list.number}>Credited</Table.Th>
                <Table.Th className={list.number}>Maintenance</Table.Th>
                <Table.Th className={list.number}>Unpaid</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {contracts.map((contract) => (
                <ContractRow
                  key={contract.contractId}
                  contract={contract}
                  clock={clocks.find(({ contractId }) => contractId === contract.contractId)}
                  now={now}
                />
              ))}
            </Table.Tbody>
          </TableFrame>
        )}
      </Panel>
    </CustomerFrame>
  );
}

interface ContractRowProps {
  contract: ContractWithTotals;
  clock: Clock | undefined;
  now: Date;
}

function ContractRow({ contract, clock, now }: ContractRowProps) {
  const { word, tone } = stateWords[contractState(contract, now)];
  const { startsOn, lastDay, projectedLastDay } = contract;
  return (
    <Table.Tr>
      <Table.Td>
        {contract.quantity} × {contract.planName}
        <div className={list.second}>{formatHashrate(contract.ghs)}</div>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={word} tone={tone} />
        {clock ? (
          <div className={list.second}>
            Cancelled not before <ClockEnd clock={clock} />
          </div>
        ) : null}
      </Table.Td>
      <Table.Td>
        <When at={contract.boughtAt} />
      </Table.Td>
      <Table.Td className={list.number}>
        <Amount units={contract.units} asset={contract.coin} />
        <div className={list.second}>{formatUsd(contract.usdCents)}</div>
      </Table.Td>
      <Table.Td className={list.day}>
        {startsOn}
        <div className={list.second}>
          to {lastDay ?? projectedLastDay ?? contract.plannedLastDay}
        </div>
      </Table.Td>
      <Table.Td className={list.number}>
        <Amount units={contract.creditedSats} asset="BTC" />
      </Table.Td>
      <Table.Td className={list.number}>
        <Amount units={contract.feesSats} asset="BTC" />
      </Table.Td>
      <Table.Td className={list.number}>
        <Amount units={contract.unpaidSats} asset="BTC" />
      </Table.Td>
    </Table.Tr>
  );
}
