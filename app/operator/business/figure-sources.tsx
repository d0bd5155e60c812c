import type { ReactNode } from "react";
import { Link } from "react-router";
import { Panel } from "#app/ui/page/panel.tsx";
import styles from "./business.module.css";

/** What each figure means, and where it comes from. Nobody types any of them. */
export function FigureSources() {
  return (
    <Panel title="What the figures mean">
      <dl className={styles.sources} data-inline="">
        <Source name="Sold">
          Prices of contracts, less what we refunded: how much the accounts{" "}
          <code>contract_prepaid</code> and <code>contract_revenue</code> grew together.
        </Source>
        <Source name="Earned">
          The part of prepaid contracts whose days were served. A contract earns its price day by
          day over its term, and each day is booked when it is credited, the day after. What we keep
          of a cancelled contract is in it. Account <code>contract_revenue</code>; the mark opens
          the <Link to="/operator/mining">mining day</Link>.
        </Source>
        <Source name="Prepaid">
          Sold and not earned yet, at the end of the day or month. We owe it to customers as
          hashrate. Account <code>contract_prepaid</code>.
        </Source>
        <Source name="Maintenance">
          Maintenance fees that were taken, late ones on the day they were taken. Account{" "}
          <code>maintenance_revenue</code>.
        </Source>
        <Source name="Fees taken">
          <Link to="/operator/withdrawals">Withdrawal</Link> fees and inactivity fees. Accounts{" "}
          <code>withdrawal_fee_revenue</code> and <code>inactivity_revenue</code>.
        </Source>
        <Source name="Own share">
          What hashrate that is not rented earned, on the day it was credited, with corrections.
          From the <Link to="/operator/mining">mining days</Link>.
        </Source>
        <Source name="Network fees">
          What <Link to="/operator/withdrawals/batches">batches</Link> and moves between own wallets
          paid to miners. Account <code>network_fee_expense</code>.
        </Source>
        <Source name="Energy">
          Watts of all machines that were entered, for 24 hours, at the{" "}
          <Link to="/operator/fleet/sites">price of their site</Link> on that day. It counts
          machines that were down, too: the bill of the energy supplier decides.
        </Source>
        <Source name="Paid by pools">
          <Link to="/operator/payouts">Recorded payouts</Link> for the mining days of the period.
          Most of it is credited to customers; our part of it is the own share.
        </Source>
        <Source name="Dollars">
          Coins at the last <Link to="/operator/markets">price</Link> of each day. What we hold
          today may be worth more or less.
        </Source>
      </dl>
      <p className={styles.hint}>
        The accounts are the ledger's. PostgreSQL notes them at the end of each UTC day; what
        happened on a day is the difference to the day before.
      </p>
    </Panel>
  );
}

function Source({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.source}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
