import { Link, useSearchParams } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Worth } from "#app/ui/figures/worth.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { SortHeader, TableFrame, TableTools } from "#app/ui/tables/data-table.tsx";
import { Pagination } from "#app/ui/tables/pagination.tsx";
import { Table } from "#app/ui/tables/table.tsx";
import { PageSizeForm, SearchBox } from "#app/ui/tables/table-forms.tsx";
import type { DepositPage } from "#server/deposits/list-deposits.ts";
import type { Deposit } from "#server/deposits/select-deposits.ts";
import styles from "./deposit-transactions.module.css";

interface DepositTransactionsProps {
  list: DepositPage;
  show: number;
  takesSlips: boolean;
  /** How many methods there are to choose from. */
  methods: number;
}

/** 'Deposit Transactions': every deposit of the customer, with what they add up to. */
export function DepositTransactions({ list, show, takesSlips, methods }: DepositTransactionsProps) {
  const [params] = useSearchParams();
  const searched = Boolean(params.get("q")?.trim());
  return (
    <Panel title="Deposit Transactions" flush>
      {list.total === 0 && !searched ? (
        <EmptyState drawing="touchstone">
          {`No deposits yet. ${methods === 1 ? "Pay to the address above" : "Choose a method and pay to its address"}${takesSlips ? ", then submit the slip" : ""}.`}
        </EmptyState>
      ) : (
        <>
          <TableTools>
            <PageSizeForm show={show} />
            <SearchBox label="Search deposits" />
          </TableTools>
          {list.total === 0 ? (
            <EmptyState drawing="balance">
              No deposit matches.{" "}
              <Link to="/account/deposit" preventScrollReset>
                Show all
              </Link>
            </EmptyState>
          ) : (
            <>
              <DepositTable list={list} />
              <Pagination page={list.page} show={show} total={list.total} />
            </>
          )}
        </>
      )}
    </Panel>
  );
}

function DepositTable({ list }: { list: DepositPage }) {
  return (
    <TableFrame label="Deposits" bare>
      <Table.Thead>
        <Table.Tr>
          <SortHeader column="date" initial="desc" first="desc">
            Date
          </SortHeader>
          <SortHeader column="id" className={styles.wider}>
            ID
          </SortHeader>
          <SortHeader column="method" className={styles.wide}>
            Method
          </SortHeader>
          <SortHeader column="amount" first="desc" className={styles.number}>
            Amount
          </SortHeader>
          <SortHeader column="status">Status</SortHeader>
          <Table.Th className={styles.number}>Credited</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {list.deposits.map((deposit) => (
          <DepositRow key={deposit.depositId} deposit={deposit} />
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th scope="row">Total Amount</Table.Th>
          <Table.Td className={styles.wider} />
          <Table.Td className={styles.wide} />
          <Table.Td className={styles.number}>
            <Usd cents={list.totalUsdCents} />
          </Table.Td>
          <Table.Td colSpan={2}>
            <div className={`${styles.muted} ${styles.note}`}>
              without rejected or reversed deposits
            </div>
          </Table.Td>
        </Table.Tr>
      </Table.Tfoot>
    </TableFrame>
  );
}

function DepositRow({ deposit }: { deposit: Deposit }) {
  const { depositId, quantityUnits, transferId, usdCents, claimedUsdCents } = deposit;
  return (
    <Table.Tr>
      <Table.Td className={styles.date}>
        <Link to={`/account/deposit/${depositId}`}>{deposit.declaredOn}</Link>
      </Table.Td>
      <Table.Td className={styles.wider}>
        <Link to={`/account/deposit/${depositId}`} className={styles.id} title={depositId}>
          …{depositId.slice(-12)}
        </Link>
      </Table.Td>
      <Table.Td className={styles.wide}>{deposit.method}</Table.Td>
      <Table.Td className={styles.number}>
        <Worth cents={usdCents} />
        {claimedUsdCents === null || usdCents === claimedUsdCents ? null : (
          <div className={styles.muted}>
            claimed <Usd cents={claimedUsdCents} />
          </div>
        )}
      </Table.Td>
      <Table.Td>
        <StatusBadge status={deposit.status} />
      </Table.Td>
      <Table.Td className={styles.number}>
        {quantityUnits !== null && transferId !== null ? (
          <span className={styles.credited}>
            <Amount units={quantityUnits} asset={deposit.asset} />
            <Hallmark to={`/account/evidence/${transferId}`} label="The ledger's entries" />
          </span>
        ) : (
          <span className={styles.muted}>–</span>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
