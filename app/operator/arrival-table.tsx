import { Button } from "@mantine/core";
import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import phone from "#app/ui/phone-columns.module.css";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { formatAmount } from "#core/money.ts";
import type { Arrival } from "#server/chain/queries.ts";
import styles from "./console-list.module.css";
import { ShortTxid, shortened } from "./short-txid.tsx";
import { useMay } from "./use-may.ts";
import own from "./wallets.module.css";

/** What was paid to the operator and is not recorded yet, with what it may be. */
export function ArrivalTable({ arrivals }: { arrivals: Arrival[] }) {
  return (
    <DataTable label="Arrived at your own addresses, newest first" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Transaction</Table.Th>
          <Table.Th className={styles.number}>Quantity</Table.Th>
          <Table.Th className={phone.wide}>Address</Table.Th>
          <Table.Th className={phone.wide}>What it was</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {arrivals.map((arrival) => (
          <Table.Tr key={arrival.paymentId}>
            <Table.Td>
              <Link to={`/operator/chain/payments/${arrival.paymentId}`} className={styles.link}>
                <ShortTxid
                  txid={arrival.txid}
                  output={arrival.chain === "bitcoin" ? arrival.outputIndex : null}
                />
              </Link>
              <div className={styles.second}>
                <When at={arrival.seenAt} />
              </div>
              <div className={`${styles.second} ${phone.narrow}`}>{purposeWords(arrival)}</div>
              <div className={`${own.acts} ${phone.narrow}`}>
                <Proposals arrival={arrival} />
              </div>
            </Table.Td>
            <Table.Td className={styles.number}>
              <Amount units={arrival.units} asset={arrival.asset} />
            </Table.Td>
            <Table.Td className={phone.wide}>
              <code className={styles.code} title={arrival.address}>
                {shortened(arrival.address)}
              </code>
              <div className={styles.second}>{purposeWords(arrival)}</div>
            </Table.Td>
            <Table.Td className={phone.wide}>
              <Proposals arrival={arrival} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function purposeWords({ purpose }: Arrival): string {
  return purpose === "own" ? "your own" : "for customers, not given out yet";
}

function Proposals({ arrival: { txid, asset, units, state } }: { arrival: Arrival }) {
  const may = useMay();
  if (state !== "mined") return "waits for a block";
  const of = new URLSearchParams({ txid, amount: formatAmount(units, asset) });
  return (
    <div className={styles.acts}>
      {asset === "BTC" && may("payouts/enter") ? (
        <Button
          component={Link}
          to={`/operator/payouts/new?${of}`}
          size="compact-sm"
          variant="default"
        >
          Record a payout
        </Button>
      ) : null}
      {may("adjustments/propose") ? (
        <Button
          component={Link}
          to={`/operator/adjustments/new?what=own-money&coin=${asset}&${of}`}
          size="compact-sm"
          variant="default"
        >
          Propose own money
        </Button>
      ) : null}
    </div>
  );
}
