import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Age, When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { coinOfMethod, type DepositMethod, type DepositState } from "#core/payments/deposit.ts";
import type { Customer } from "#server/identity/account/customer.ts";
import type { Balances } from "#server/ledger/get-balances.ts";

interface ClaimPanelProps {
  deposit: {
    customerId: string;
    customerFirstName: string;
    customerLastName: string;
    method: DepositMethod;
    claimedUsdCents: bigint | null;
    declaredOn: string;
    createdAt: Date;
    state: DepositState;
    status: string;
  };
  customer: Customer | null;
  balances: Balances;
  now: Date;
}

/** What the customer claims, and who claims it. */
export function ClaimPanel({ deposit, customer, balances, now }: ClaimPanelProps) {
  const coin = coinOfMethod[deposit.method];
  const isWaiting = deposit.state === "pending";
  const { claimedUsdCents } = deposit;
  return (
    <Panel
      title={claimedUsdCents === null ? "Customer" : "Claim"}
      aside={isWaiting ? <StatusBadge status={deposit.status} /> : null}
    >
      <Facts
        facts={[
          claimedUsdCents !== null && {
            label: "Amount",
            value: (
              <>
                <strong>
                  <Usd cents={claimedUsdCents} />
                </strong>{" "}
                by {deposit.method}
              </>
            ),
          },
          claimedUsdCents !== null && { label: "Declared for", value: deposit.declaredOn },
          {
            label: claimedUsdCents === null ? "Seen" : "Submitted",
            value: (
              <span className={layout.inline}>
                <Age at={deposit.createdAt} now={now} /> <When at={deposit.createdAt} />
              </span>
            ),
          },
          {
            label: "Customer",
            value: (
              <span className={layout.inline}>
                <Link to={`/operator/customers/${deposit.customerId}`}>
                  {deposit.customerFirstName} {deposit.customerLastName}
                </Link>
                {customer?.email}
                {customer ? (
                  <StatusBadge status={customer.emailVerified ? "verified" : "unverified"} />
                ) : null}
              </span>
            ),
          },
          customer !== null && { label: "Registered", value: customer.createdAt },
          {
            label: `${coin} available`,
            value: <Amount units={balances[coin].available} asset={coin} />,
          },
        ]}
      />
    </Panel>
  );
}
