import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/amount.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Age, When } from "#app/ui/when.tsx";
import { coinOfMethod, type DepositMethod } from "#core/deposit.ts";
import type { Customer } from "#server/identity/customer.ts";
import type { Balances } from "#server/ledger/queries.ts";
import styles from "./deposit.module.css";

interface ClaimPanelProps {
  deposit: {
    customerId: string;
    customerFirstName: string;
    customerLastName: string;
    method: DepositMethod;
    claimedUsdCents: bigint;
    declaredOn: string;
    createdAt: Date;
    status: string;
  };
  customer: Customer | null;
  balances: Balances;
  now: Date;
}

/** What the customer claims, and who claims it. */
export function ClaimPanel({ deposit, customer, balances, now }: ClaimPanelProps) {
  const coin = coinOfMethod[deposit.method];
  return (
    <Panel title="Claim" aside={<StatusBadge status={deposit.status} />}>
      <Facts
        facts={[
          {
            label: "Amount",
            value: (
              <strong>
                <Usd cents={deposit.claimedUsdCents} />
              </strong>
            ),
          },
          { label: "Method", value: deposit.method },
          { label: "Declared for", value: deposit.declaredOn },
          {
            label: "Submitted",
            value: (
              <span className={styles.inline}>
                <Age at={deposit.createdAt} now={now} /> <When at={deposit.createdAt} />
              </span>
            ),
          },
          {
            label: "Customer",
            value: (
              <Link to={`/operator/customers/${deposit.customerId}`}>
                {deposit.customerFirstName} {deposit.customerLastName}
              </Link>
            ),
          },
          customer !== null && {
            label: "E-mail",
            value: (
              <span className={styles.inline}>
                {customer.email}{" "}
                <StatusBadge status={customer.emailVerified ? "verified" : "unverified"} />
              </span>
            ),
          },
          customer !== null && { label: "Registered", value: <When at={customer.createdAt} /> },
          {
            label: `${coin} available`,
            value: <Amount units={balances[coin].available} asset={coin} />,
          },
        ]}
      />
    </Panel>
  );
}
