import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import phone from "#app/ui/tables/phone-columns.module.css";
import { formatAmount } from "#core/money.ts";
import type { Arrival } from "#server/chain/list-arrivals.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { useMay } from "../parts/use-may.ts";
import { ShortTxid, shortened } from "./short-txid.tsx";
import own from "./wallets.module.css";

/** What was paid to the operator and is not recorded yet, with what it may be. */
export function ArrivalTable({ arrivals }: { arrivals: Arrival[] }) {
  return (
    <ConsoleTable
      label="Arrived at your own addresses, newest first"
      bare
      rows={arrivals}
      rowKey={(arrival) => arrival.paymentId}
      columns={[
        {
          head: "Transaction",
          cell: (arrival) => (
            <>
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
            </>
          ),
        },
        {
          head: "Quantity",
          kind: "number",
          cell: (arrival) => <Amount units={arrival.units} asset={arrival.asset} />,
        },
        {
          head: "Address",
          className: phone.wide,
          cell: (arrival) => (
            <code className={styles.code} title={arrival.address}>
              {shortened(arrival.address)}
            </code>
          ),
          second: (arrival) => purposeWords(arrival),
        },
        {
          head: "What it was",
          className: phone.wide,
          cell: (arrival) => <Proposals arrival={arrival} />,
        },
      ]}
    />
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
        <ButtonLink to={`/operator/payouts/new?${of}`} size="small" look="quiet">
          Record a payout
        </ButtonLink>
      ) : null}
      {may("adjustments/propose") ? (
        <ButtonLink
          to={`/operator/adjustments/new?what=own-money&coin=${asset}&${of}`}
          size="small"
          look="quiet"
        >
          Propose own money
        </ButtonLink>
      ) : null}
    </div>
  );
}
