import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { Age } from "#app/ui/when.tsx";
import type { Standing } from "#server/console/today/read-standing.ts";
import styles from "./today.module.css";

/** What customers are owed of each coin, beside what two people counted last. */
export function CoinsPanel({ coins, now }: { coins: Standing["coins"]; now: Date }) {
  return (
    <Panel
      title="Coins"
      aside={
        <Link to="/operator/reconciliation" className={styles.more}>
          Reconciliation
        </Link>
      }
      flush
    >
      <table className={`${styles.table} ${styles.coins}`}>
        <thead>
          <tr>
            <th scope="col">Coin</th>
            <th scope="col" className={styles.end}>
              Owed to customers
            </th>
            <th scope="col" className={styles.end}>
              Counted
            </th>
            <th scope="col" className={styles.end}>
              Off by
            </th>
          </tr>
        </thead>
        <tbody>
          {coins.map(({ asset, owedUnits, counted }) => (
            <tr key={asset} className={styles.row}>
              <th scope="row">{asset}</th>
              <td className={styles.end}>
                <Amount units={owedUnits} asset={asset} bare />
              </td>
              <td className={styles.end}>
                {counted ? <Amount units={counted.units} asset={asset} bare /> : "Not counted yet"}
                {counted ? (
                  <span className={styles.counted}>
                    <Age at={counted.asOf} now={now} />
                  </span>
                ) : null}
              </td>
              <td className={styles.end}>
                {counted ? <Off asset={asset} counted={counted} /> : "–"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** Against our ledger at the moment of the count. */
function Off({
  asset,
  counted: { units, custodyUnits },
}: {
  asset: Standing["coins"][number]["asset"];
  counted: NonNullable<Standing["coins"][number]["counted"]>;
}) {
  if (units === custodyUnits) return <>nothing</>;
  return (
    <span className={units < custodyUnits ? styles.bad : undefined}>
      <Amount units={units - custodyUnits} asset={asset} signed bare />
    </span>
  );
}
