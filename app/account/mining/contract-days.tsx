import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Term } from "#app/ui/figures/term.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { TableFrame, TableTools } from "#app/ui/tables/data-table.tsx";
import { OlderNewer } from "#app/ui/tables/pagination.tsx";
import { Table } from "#app/ui/tables/table.tsx";
import { PageSizeForm } from "#app/ui/tables/table-forms.tsx";
import { formatDay } from "#core/utc-day.ts";
import type { Contract } from "#server/contracts/find-contract.ts";
import type { ContractDay } from "#server/mining/receipts/list-contract-days.ts";
import { dueSats } from "./contract-words.ts";
import styles from "./mining.module.css";

interface DayListProps {
  contract: Contract;
  days: ContractDay[];
  more: boolean;
  show: number;
  isFirstPage: boolean;
  awaited: { first: string; last: string } | null;
}

/** The days of a contract that are credited, each with its receipt. */
export function DayList({ contract, days, more, show, isFirstPage, awaited }: DayListProps) {
  if (days.length === 0 && isFirstPage) {
    return (
      <Panel title="Days">
        <EmptyState drawing="ledger">
          {contract.endReason === "given-back"
            ? "It was refunded before its first day, so it has no receipts."
            : `No day of it has been credited yet. The first receipt appears here when the pools have paid for ${formatDay(contract.startsOn)}.`}
        </EmptyState>
      </Panel>
    );
  }
  const path = `/account/mining/${contract.contractId}`;
  return (
    <Panel title="Days" flush aside={<a href={`${path}/days.csv`}>All days as CSV</a>}>
      <TableTools>
        <PageSizeForm show={show} />
      </TableTools>
      {awaited && isFirstPage ? (
        <p className={styles.awaited}>
          <StatusBadge status="awaiting pool payout" tone="plain" />{" "}
          {awaited.first === awaited.last
            ? formatDay(awaited.last)
            : `${formatDay(awaited.first)} to ${formatDay(awaited.last)}`}
        </p>
      ) : null}
      <TableFrame label="Days of the contract" bare>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>UTC day</Table.Th>
            <Table.Th ta="right">Credited</Table.Th>
            <Table.Th ta="right" className={styles.wide}>
              Maintenance
            </Table.Th>
            <Table.Th ta="right" className={styles.wide}>
              Net
            </Table.Th>
            <Table.Th ta="right" className={styles.wide}>
              <Term of="reference" />
            </Table.Th>
            <Table.Th ta="right" className={styles.wide}>
              <Term of="served" />
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map((day) => (
            <DayRow key={day.day} day={day} path={path} />
          ))}
        </Table.Tbody>
      </TableFrame>
      <OlderNewer after={more ? (days.at(-1)?.day ?? null) : null}>
        {days.length} {days.length === 1 ? "day" : "days"} shown
      </OlderNewer>
    </Panel>
  );
}

function DayRow({ day, path }: { day: ContractDay; path: string }) {
  const credited = day.creditSats + day.correctedSats;
  const net = credited - dueSats(day);
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Link to={`${path}/${day.day}`}>
          <Day day={day.day} />
        </Link>
        <div className={styles.quiet}>
          {day.correctedSats === 0n ? null : "corrected"}
          {day.feeState === "open" ? " maintenance unpaid" : null}
          {day.feeState === "lapsed" ? " maintenance lapsed" : null}
        </div>
      </Table.Th>
      <Table.Td ta="right">
        <span className={styles.marked}>
          <Amount units={credited} asset="BTC" />
          <Hallmark to={`${path}/${day.day}`} label={`The receipt of ${formatDay(day.day)}`} />
        </span>
        <div className={styles.narrow}>
          net <Amount units={net} asset="BTC" signed plain />
        </div>
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        <Amount units={-dueSats(day)} asset="BTC" />
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        <Amount units={net} asset="BTC" signed />
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        {day.referenceSats === null ? (
          "not known"
        ) : (
          <Amount units={day.referenceSats} asset="BTC" />
        )}
      </Table.Td>
      <Table.Td ta="right" className={styles.wide}>
        {(Number(day.servedPpm) / 10_000).toFixed(2)}%
      </Table.Td>
    </Table.Tr>
  );
}
