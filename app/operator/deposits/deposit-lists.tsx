import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Worth } from "#app/ui/figures/worth.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Deposit } from "#server/deposits/select-deposits.ts";
import type { listDepositsWithSameSlip } from "#server/deposits/slips/list-deposits-with-same-slip.ts";
import styles from "./deposit.module.css";

type SameSlip = Awaited<ReturnType<typeof listDepositsWithSameSlip>>[number];

interface SameSlipsProps {
  /** The newest. */
  slips: SameSlip[];
  count: number;
  /** Whose deposit is under review: the same slip of somebody else is worse. */
  customerId: string;
}

/** Deposits that came with the same file. */
export function SameSlips({ slips, count, customerId }: SameSlipsProps) {
  if (slips.length === 0) {
    return (
      <Panel title="The same slip elsewhere">
        <p className={layout.note}>No other deposit came with this file.</p>
      </Panel>
    );
  }
  return (
    <Panel
      title="The same slip elsewhere"
      aside={
        <StatusBadge status={count < 100 ? `${count} found` : "100 or more found"} tone="bad" />
      }
      flush
    >
      <ul className={styles.list}>
        {slips.map((slip) => (
          <li key={slip.depositId} className={styles.entry}>
            <span>
              <Link to={`/operator/deposits/${slip.depositId}`}>
                {slip.customerFirstName} {slip.customerLastName}
              </Link>
              {slip.customerId === customerId ? "" : ", another customer"}
            </span>
            <Worth cents={slip.usdCents} />
            <StatusBadge status={slip.status} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface OtherDepositsProps {
  deposits: Deposit[];
  total: number;
  customerId: string;
}

/** What else this customer has deposited. */
export function OtherDeposits({ deposits, total, customerId }: OtherDepositsProps) {
  return (
    <Panel
      title="Other deposits of this customer"
      aside={
        total > deposits.length ? (
          <Link to={`/operator/customers/${customerId}`}>All {total}</Link>
        ) : null
      }
      flush
    >
      {deposits.length === 0 ? (
        <p className={layout.nothing}>This is the first one.</p>
      ) : (
        <DepositList deposits={deposits} />
      )}
    </Panel>
  );
}

export function DepositList({ deposits }: { deposits: Deposit[] }) {
  return (
    <ul className={styles.list}>
      {deposits.map((deposit) => (
        <li key={deposit.depositId} className={styles.entry}>
          <span className={layout.inline}>
            <Link to={`/operator/deposits/${deposit.depositId}`}>{deposit.method}</Link>
            <span className={styles.muted}>
              <When at={deposit.createdAt} />
            </span>
          </span>
          <Worth cents={deposit.usdCents} />
          <StatusBadge status={deposit.status} />
        </li>
      ))}
    </ul>
  );
}
