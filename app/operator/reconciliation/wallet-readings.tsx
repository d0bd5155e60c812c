import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import type { Coin } from "#core/asset.ts";
import type { WalletReading } from "#server/reconciliation/queries.ts";
import styles from "../console-list.module.css";
import own from "./reconciliation.module.css";

/** What the node said lies in the wallets that are known here: for who counts, and for who checks a count. */
export function WalletReadings({ readings }: { readings: WalletReading[] }) {
  if (readings.length === 0) {
    return (
      <p className={styles.empty}>
        Once a day a Bitcoin node of the operator's is asked what lies in the wallets whose public
        keys are known here. None was asked yet: an Esplora server cannot answer that.
      </p>
    );
  }
  return (
    <>
      <p className={styles.empty}>
        The node's own answer, once a day, of the wallets whose public keys are known here. Nobody
        typed or confirmed it. It neither stops sales nor lets them go on, since coins may lie in
        wallets that are not known here; a count that says less than this is wrong.
      </p>
      <DataTable label="What lies in each wallet, read by the machine" bare>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Wallet</Table.Th>
            <Table.Th className={styles.number}>In it</Table.Th>
            <Table.Th className={styles.number}>Journal then</Table.Th>
            <Table.Th>Read</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {readings.map((each) => (
            <Table.Tr key={each.walletId}>
              <Table.Td>
                <code className={own.wallet}>{shorten(each.descriptor)}</code>
                <div className={styles.second}>
                  {each.outputs} unspent {each.outputs === 1 ? "output" : "outputs"}
                </div>
              </Table.Td>
              <Table.Td className={styles.number}>
                <Amount units={each.units} asset={each.asset} />
              </Table.Td>
              <Table.Td className={styles.number}>
                <Amount units={each.custodyUnits} asset={each.asset} />
              </Table.Td>
              <Table.Td>
                <When at={each.readAt} />
                <div className={styles.second}>block {each.blockHeight}</div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">Together</Table.Th>
            <Table.Td className={styles.number}>
              <Amount units={sumOfReadings(readings, "BTC") ?? 0n} asset="BTC" />
            </Table.Td>
            <Table.Td />
            <Table.Td />
          </Table.Tr>
        </Table.Tfoot>
      </DataTable>
    </>
  );
}

/** What was last read of all wallets of a coin, in its smallest unit; null: none of it was read. */
export function sumOfReadings(readings: WalletReading[], coin: Coin): bigint | null {
  const ofCoin = readings.filter(({ asset }) => asset === coin);
  return ofCoin.length === 0 ? null : ofCoin.reduce((sum, { units }) => sum + units, 0n);
}

function shorten(descriptor: string): string {
  return descriptor.length <= 44
    ? descriptor
    : `${descriptor.slice(0, 30)}…${descriptor.slice(-12)}`;
}
