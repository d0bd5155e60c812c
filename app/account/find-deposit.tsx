import { TextInput } from "@mantine/core";
import { Form } from "react-router";
import { SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { Whereabouts } from "#server/deposits/locate-deposit.ts";
import { PaymentLine } from "./payment-line.tsx";
import styles from "./payments.module.css";
import type { ShownPayment } from "./read-payments.ts";

/** What came of a question; null: none was asked. */
export type Found =
  | { txid: string; fault: string }
  | { txid: string; at: Exclude<Whereabouts, { kind: "yours" }> }
  | { txid: string; payments: ShownPayment[] }
  | null;

/** 'Where is my deposit': a transaction's id, and where it stands. */
export function FindDeposit({ found }: { found: Found }) {
  return (
    <Panel title="Where is my deposit?">
      <Form method="get" className={styles.find} preventScrollReset>
        <TextInput
          name="txid"
          label="Transaction id"
          description="Your wallet shows it with the payment: 64 letters and digits"
          required
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          key={found?.txid}
          defaultValue={found?.txid}
          error={found && "fault" in found ? found.fault : null}
        />
        <SubmitButton pendingText="Looking…">Find it</SubmitButton>
      </Form>
      {found && "payments" in found ? (
        <ul className={styles.payments} aria-label="What was found">
          {found.payments.map((payment) => (
            <PaymentLine key={payment.id} payment={payment} />
          ))}
        </ul>
      ) : null}
      {found && "at" in found ? <NotYours at={found.at} /> : null}
    </Panel>
  );
}

function NotYours({ at }: { at: Exclude<Whereabouts, { kind: "yours" }> }) {
  switch (at.kind) {
    case "elsewhere":
      return (
        <Notice tone="warning" title="It does not pay your address" role="status">
          The network knows this transaction{at.inBlock ? ", and a block holds it" : ""}, but none
          of its outputs pays an address of yours. Compare the address that you paid with the one
          above.
        </Notice>
      );
    case "unknown":
      return (
        <Notice tone="warning" title="The network does not know it" role="status">
          Neither a payment to your address nor the node
          {at.tipHeight === null ? "" : `, which has read up to block ${at.tipHeight},`} has this
          transaction. It may not have been sent yet, be on another network, or be an old one to
          another address.
        </Notice>
      );
    case "unreachable":
      return (
        <Notice
          tone="warning"
          title="The Bitcoin network cannot be asked at this moment"
          role="status"
        >
          No payment with this id has reached your address so far. Please ask again in a few
          minutes; what you have paid is not lost.
        </Notice>
      );
    case "not-watched":
      return (
        <Notice title="Payments are not watched here" role="status">
          Please submit your slip: staff compare it with what arrived.
        </Notice>
      );
  }
}
