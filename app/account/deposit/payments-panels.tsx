import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { chainNames } from "#core/wallet/wallet-terms.ts";
import { FindDeposit, type Found } from "./find-deposit.tsx";
import { PaymentLine } from "./payment-line.tsx";
import styles from "./payments.module.css";
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

/** Payments to the customer's own address, from the moment that the network knows them until they are credited. */
function Payments({ read }: { read: PaymentsOnChain }) {
  const { payments, unreadable } = read;
  return (
    <Panel title="On the way">
      {unreadable.map((chain) => (
        <div key={chain} className={styles.warning}>
          <Notice
            tone="warning"
            title={`We cannot read the ${chainNames[chain]} network at the moment`}
            role="status"
          >
            Your payment is not lost. We credit it as soon as we can read the network again.
          </Notice>
        </div>
      ))}
      {payments.length === 0 ? (
        <p className={styles.none}>
          No payment is on its way. Payments to your own addresses appear here, and we credit them
          automatically: {read.watched.map(afterWhat).join("; ")}. They need no slip.
          {read.missesContracts ? missed : null}
        </p>
      ) : (
        <ul className={styles.payments} aria-live="polite">
          {payments.map((payment) => (
            <PaymentLine key={payment.id} payment={payment} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const missed =
  " Send ether from your own wallet: we do not see payments sent by a contract, as some exchanges do, and need a slip for them.";

function afterWhat({ asset, steps }: PaymentsOnChain["watched"][number]): string {
  const [first, ...more] = steps;
  const blocks = first?.blocks ?? 1;
  if (blocks === "finalized") return `${asset} once its block is final, about 15 minutes`;
  const plain = `${asset} after ${blocks} confirmation${blocks === 1 ? "" : "s"}`;
  return more.length > 0 ? `${plain}, a large one after more` : plain;
}
