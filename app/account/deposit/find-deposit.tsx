import { Form } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { useCoins } from "#app/ui/figures/use-coins.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { chainNames } from "#core/wallet/wallet-terms.ts";
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

/** 'Where is my deposit': finds a payment by its transaction id. */
export function FindDeposit({ found }: { found: Found }) {
  const ethereum = useCoins().some((coin) => coin !== "BTC");
  return (
    <Panel title="Where is my deposit?">
      <Form method="get" className={styles.find} preventScrollReset>
        <TextField
          name="txid"
          label="Transaction id"
          description={`Your wallet shows it with the payment: 64 letters and digits${ethereum ? ", on Ethereum after 0x" : ""}`}
          required
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          key={found?.txid}
          defaultValue={found?.txid}
          error={found && "fault" in found ? found.fault : null}
        />
        <SubmitButton pendingText="Looking…">Find deposit</SubmitButton>
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
          Our node knows this transaction
          {at.inBlock ? ", and reports a block that contains it" : ""}, but it pays none of your
          addresses. Compare the address that you paid with the one above
          {at.chain === "ethereum" ? ", and the token: only ETH and USDT count." : "."}
          {at.missesContracts
            ? " We do not see payments sent by a contract: submit a slip for one."
            : null}
        </Notice>
      );
    case "failed":
      return (
        <Notice tone="warning" title="This transaction failed" role="status">
          A failed transaction costs its fee but moves no coins: you still have them. Check it in
          your wallet or an explorer before you send them again.
        </Notice>
      );
    case "not-read-yet":
      return (
        <Notice title="Our node knows it" role="status">
          {at.inBlock
            ? "It is in a block that we have not read yet. If it pays one of your addresses, it appears here within a minute."
            : "It is waiting for a block. If it pays one of your addresses, it appears here within a minute, or once a block contains it."}
        </Notice>
      );
    case "unknown":
      return (
        <Notice tone="warning" title="Our node does not know it" role="status">
          No payment with this id has reached your address, and our node
          {at.tipHeight === null ? "" : `, which has read up to block ${at.tipHeight},`} does not
          have it. It may not have been sent yet, may be on another network, or may have paid
          another address long ago.
        </Notice>
      );
    case "unreachable":
      return (
        <Notice
          tone="warning"
          title={`The ${chainNames[at.chain]} network cannot be reached at the moment`}
          role="status"
        >
          No payment with this id has reached your address so far. Please try again in a few
          minutes. Your payment is not lost.
        </Notice>
      );
    case "not-watched":
      return (
        <Notice title="We cannot look up payments here" role="status">
          Submit your payment slip: our staff compare it with what arrived.
        </Notice>
      );
  }
}
