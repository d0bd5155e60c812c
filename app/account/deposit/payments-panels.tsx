import layout from "#app/ui/page/layout.module.css";
import { FindDeposit, type Found } from "./find-deposit.tsx";
import { Payments } from "./payments.tsx";
import type { PaymentsOnChain } from "./read-payments.ts";

interface PaymentsPanelsProps {
  read: PaymentsOnChain;
  found: Found;
}

/** What is on its way, next to the box that finds a payment: both always say the same of one. */
export function PaymentsPanels({ read, found }: PaymentsPanelsProps) {
  return (
    <div className={layout.stack}>
      <Payments read={read} />
      <FindDeposit found={asOfNow(found, read)} />
    </div>
  );
}

function asOfNow(found: Found, { payments }: PaymentsOnChain): Found {
  if (!found || !("payments" in found)) return found;
  const latest = found.payments.map((each) => payments.find(({ id }) => id === each.id) ?? each);
  return { ...found, payments: latest };
}
