import { Notice } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { PaymentLine } from "./payment-line.tsx";
import styles from "./payments.module.css";
import type { PaymentsOnChain } from "./read-payments.ts";

/** Payments to the customer's own address, from the moment that the network knows them until they are credited. */
export function Payments({ read }: { read: PaymentsOnChain }) {
  const { payments, isFollowed } = read;
  return (
    <Panel title="On the way">
      {isFollowed ? null : (
        <div className={styles.warning}>
          <Notice
            tone="warning"
            title="The Bitcoin network cannot be read at this moment"
            role="status"
          >
            What you have paid is not lost. It is credited as soon as it can be read again.
          </Notice>
        </div>
      )}
      {payments.length === 0 ? (
        <p className={styles.none}>
          No payment is on its way. One to your own Bitcoin address appears here within seconds, and
          is credited by itself after {afterBlocks(read)}. It needs no slip.
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

function afterBlocks({ steps }: PaymentsOnChain): string {
  const [first, ...more] = steps;
  const blocks = first?.blocks ?? 1;
  const plain = `${blocks} confirmation${blocks === 1 ? "" : "s"}`;
  return more.length > 0 ? `${plain}, a large one after more` : plain;
}
