import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { formatAmount } from "#core/money.ts";
import type { Arrival } from "#server/chain/queries.ts";
import styles from "./console-list.module.css";
import { useMay } from "./use-may.ts";

/** What was paid to the operator and is not recorded yet, with what it may be. */
export function ArrivalTable({ arrivals }: { arrivals: Arrival[] }) {
  return (
    <DataTable label="Arrived at your own addresses, newest first" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Transaction</Table.Th>
          <Table.Th className={styles.number}>Quantity</Table.Th>
          <Table.Th>Address</Table.Th>
          <Table.Th>First seen</Table.Th>
          <Table.Th>What it was</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {arrivals.map((arrival) => (
          <Table.Tr key={arrival.paymentId}>
            <Table.Td className={styles.memo}>
              <Link to={`/operator/chain/payments/${arrival.paymentId}`} className={styles.link}>
                {arrival.txid}
              </Link>
            </Table.Td>
            <Table.Td className={styles.number}>
              <Amount units={arrival.units} asset={arrival.asset} />
            </Table.Td>
            <Table.Td>
              {arrival.purpose === "own" ? "Your own" : "For customers, not given out yet"}
            </Table.Td>
            <Table.Td>
              <When at={arrival.seenAt} />
            </Table.Td>
            <Table.Td>
              {arrival.state === "mined" ? <Proposals arrival={arrival} /> : "waits for a block"}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Proposals({ arrival: { txid, asset, units } }: { arrival: Arrival }) {
  const may = useMay();
  const of = new URLSearchParams({ txid, amount: formatAmount(units, asset) });
  return (
    <>
      {asset === "BTC" && may("payouts/enter") ? (
        <div>
          <Link to={`/operator/payouts/new?${of}`} className={styles.link}>
            Record a payout
          </Link>
        </div>
      ) : null}
      {may("adjustments/propose") ? (
        <div>
          <Link
            to={`/operator/adjustments/new?what=own-money&coin=${asset}&${of}`}
            className={styles.link}
          >
            Propose own money
          </Link>
        </div>
      ) : null}
    </>
  );
}
