import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import type { PaidCustomer } from "#server/deposits/payments/list-customers-paid-by.ts";

interface Props {
  paid: PaidCustomer[];
  units: bigint;
  /** Own money that was taken out may have gone to a customer. */
  isTakenOut?: boolean;
}

/** What else a transaction paid: people who decide about a payout or own money see the customers' payments, too. */
export function PaidCustomers({ paid, units, isTakenOut = false }: Props) {
  if (paid.length === 0) return null;
  const isSame = paid.some((each) => each.units === units);
  return (
    <Notice tone="warning" title="This transaction also paid customers">
      {isTakenOut
        ? "What you took out and paid to a customer's address here is in your wallets again, and is the customer's. "
        : isSame
          ? "One of these payments has the same amount. If it is the same output, the coins would count twice: open the payment first and propose that it was the operator's own. "
          : "Make sure that this is another output of the transaction: the same coins must not count twice. "}
      {paid.map((each) => (
        <div key={each.paymentId}>
          <Link to={`/operator/chain/payments/${each.paymentId}`}>
            {each.customerFirstName} {each.customerLastName}
          </Link>
          : <Amount units={each.units} asset={each.asset} />,{" "}
          {each.settledAt ? "credited" : "not credited"}
        </div>
      ))}
    </Notice>
  );
}
