import { Link, useSearchParams } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable, TableTools } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Pagination } from "#app/ui/pagination.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { PageSizeForm, SearchBox } from "#app/ui/table-forms.tsx";
import { When } from "#app/ui/when.tsx";
import { leavesOn, withdrawalStateWords } from "#core/withdrawal.ts";
import type { WithdrawalPage } from "#server/withdrawals/queries.ts";
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
    <DataTable label="Withdrawals" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Asked for</Table.Th>
          <Table.Th className={`${styles.number} ${styles.wide}`}>From the balance</Table.Th>
          <Table.Th className={styles.number}>Arrives</Table.Th>
          <Table.Th className={styles.wide}>State</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {list.withdrawals.map((each) => (
          <Table.Tr key={each.id}>
            <Table.Td className={styles.date}>
              <Link to={`/account/withdraw/${each.id}`}>
                <When at={each.requestedAt} plain />
              </Link>
              <div className={styles.quiet}>
                to{" "}
                <code title={each.address}>
                  {each.address.slice(0, 8)}…{each.address.slice(-6)}
                </code>
              </div>
              <span className={styles.narrow}>
                <State of={each} />
              </span>
            </Table.Td>
            <Table.Td className={`${styles.number} ${styles.wide}`}>
              <Amount units={each.units} asset={each.asset} />
            </Table.Td>
            <Table.Td className={styles.number}>
              <Amount units={each.units - each.feeUnits} asset={each.asset} />
            </Table.Td>
            <Table.Td className={styles.wide}>
              <State of={each} />
              {each.broadcastAt || each.endedAt ? null : (
                <div className={styles.quiet}>{`leaves on ${leavesOn(each, now)} (UTC)`}</div>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        {list.sent.map(({ asset, units }, i) => (
          <Table.Tr key={asset}>
            <Table.Th scope="row">{i === 0 ? "Sent in all" : ""}</Table.Th>
            <Table.Td className={styles.wide} />
            <Table.Td className={styles.number}>
              <Amount units={units} asset={asset} />
            </Table.Td>
            <Table.Td className={styles.wide}>
              <span className={styles.quiet}>confirmed on chain</span>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tfoot>
    </DataTable>
  );
}
