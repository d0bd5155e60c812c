import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Age } from "#app/ui/figures/when.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Standing } from "#server/console/today/read-standing.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import styles from "./today.module.css";

/** What customers have of each coin, beside what two people counted last. */
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
      <ConsoleTable
        label="What customers have and what was counted"
        bare
        dense
        rows={coins}
        rowKey={({ asset }) => asset}
        rowClass={styles.row}
        columns={[
          { head: "Coin", value: "asset", names: true },
          {
            head: "Customers have",
            align: "right",
            cell: ({ asset, owedUnits }) => <Amount units={owedUnits} asset={asset} bare />,
          },
          {
            head: "Counted",
            align: "right",
            cell: ({ asset, counted }) => <Counted asset={asset} counted={counted} now={now} />,
          },
          {
            head: "Off by",
            align: "right",
            cell: ({ asset, counted }) => (counted ? <Off asset={asset} counted={counted} /> : "–"),
          },
        ]}
      />
    </Panel>
  );
}

type Coin = Standing["coins"][number];

function Counted({ asset, counted, now }: Pick<Coin, "asset" | "counted"> & { now: Date }) {
  if (!counted) return "Not counted yet";
  return (
    <>
      <Amount units={counted.units} asset={asset} bare />
      <span className={styles.counted}>
        <Age at={counted.asOf} now={now} />
      </span>
    </>
  );
}

/** Against our ledger at the moment of the count. */
function Off({
  asset,
  counted: { units, custodyUnits },
}: {
  asset: Coin["asset"];
  counted: NonNullable<Coin["counted"]>;
}) {
  if (units === custodyUnits) return <>nothing</>;
  return (
    <span className={units < custodyUnits ? styles.bad : undefined}>
      <Amount units={units - custodyUnits} asset={asset} signed bare />
    </span>
  );
}
