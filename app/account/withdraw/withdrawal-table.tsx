import { Link, useSearchParams } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { DataTable, TableTools } from "#app/ui/tables/data-table.tsx";
import { Pagination } from "#app/ui/tables/pagination.tsx";
import { Table } from "#app/ui/tables/table.tsx";
import { PageSizeForm, SearchBox } from "#app/ui/tables/table-forms.tsx";
import { leavesOn, withdrawalStateWords } from "#core/payments/withdrawal.ts";
import { formatDay } from "#core/utc-day.ts";
import type { WithdrawalPage } from "#server/withdrawals/list-withdrawals.ts";
import { toneOf } from "./tones.ts";
import styles from "./withdraw.module.css";

interface WithdrawalTableProps {
  list: WithdrawalPage;
  show: number;
  now: Date;
}

/** Every withdrawal of the customer, the newest first, with what was sent in all. */
export function WithdrawalTable({ list, show, now }: WithdrawalTableProps) {
  const [params] = useSearchParams();
  const searched = Boolean(params.get("q")?.trim());
  if (list.total === 0 && !searched) {
    return (
      <Panel title="Withdrawals" flush>
        <EmptyState drawing="balance">No withdrawals yet.</EmptyState>
      </Panel>
    );
  }
  return (
    <Panel title="Withdrawals" flush>
      <TableTools>
        <PageSizeForm show={show} />
        <SearchBox label="Search withdrawals" placeholder="Address, coin or state" />
      </TableTools>
      {list.total === 0 ? (
        <EmptyState drawing="touchstone">
          No withdrawal matches.{" "}
          <Link to="/account/withdraw" preventScrollReset>
            Show all
          </Link>
        </EmptyState>
      ) : (
        <>
          <Rows list={list} now={now} />
          <Pagination page={list.page} show={show} total={list.total} />
        </>
      )}
    </Panel>
  );
}

function State({ of: { heldUntil, state } }: { of: WithdrawalPage["withdrawals"][number] }) {
  return heldUntil ? (
    <StatusBadge status="Held" tone="waiting" />
  ) : (
    <StatusBadge status={withdrawalStateWords[state]} tone={toneOf(state)} />
  );
}

function Rows({ list, now }: { list: WithdrawalPage; now: Date }) {
  return (
    <DataTable
      label="Withdrawals"
      bare
      rows={list.withdrawals}
      rowKey={(each) => each.id}
      columns={[
        {
          head: "Requested",
          cellClass: styles.date,
          cell: (each) => (
            <>
              <Link to={`/account/withdraw/${each.id}`}>
                <When at={each.requestedAt} plain />
              </Link>
              <div className={layout.quiet}>
                to{" "}
                <code title={each.address}>
                  {each.address.slice(0, 8)}…{each.address.slice(-6)}
                </code>
              </div>
              <span className={styles.narrow}>
                <State of={each} />
              </span>
            </>
          ),
        },
        {
          head: "From the balance",
          className: `${styles.number} ${styles.wide}`,
          cell: (each) => <Amount units={each.units} asset={each.asset} />,
        },
        {
          head: "Arrives",
          className: styles.number,
          cell: (each) => <Amount units={each.units - each.feeUnits} asset={each.asset} />,
        },
        {
          head: "State",
          className: styles.wide,
          cell: (each) => (
            <>
              <State of={each} />
              {each.broadcastAt || each.endedAt ? null : (
                <div
                  className={layout.quiet}
                >{`leaves on ${formatDay(leavesOn(each, now))} (UTC)`}</div>
              )}
            </>
          ),
        },
      ]}
    >
      <Table.Tfoot>
        {list.sent.map(({ asset, units }, i) => (
          <Table.Tr key={asset}>
            <Table.Th scope="row">{i === 0 ? "Sent in total" : ""}</Table.Th>
            <Table.Td className={styles.wide} />
            <Table.Td className={styles.number}>
              <Amount units={units} asset={asset} />
            </Table.Td>
            <Table.Td className={styles.wide}>
              <span className={layout.quiet}>confirmed on chain</span>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tfoot>
    </DataTable>
  );
}
