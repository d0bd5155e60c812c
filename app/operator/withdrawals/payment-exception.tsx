import { Form } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import {
  type ResolutionSays,
  type ResolutionState,
  withdrawalTerms,
} from "#core/payments/withdrawal.ts";
import type { PaymentException } from "#server/withdrawals/ethereum/find-payment-exception.ts";
import { FourEyes, proposalFacts } from "../parts/four-eyes.tsx";
import { useMay } from "../parts/use-may.ts";
import styles from "./withdrawals.module.css";

const saysWords: Record<ResolutionSays, string> = {
  paid: "The customer was paid",
  undelivered: "It did not arrive, and comes back",
};

const stateWords: Record<ResolutionState, string> = {
  open: "waits for a colleague",
  confirmed: "confirmed",
  declined: "declined",
};

interface Answer {
  intent: string;
  reason: string;
  fault: string;
}

/** What the token announced instead of what it was told. */
export function PaymentExceptionNotice({ fault }: { fault: string | null }) {
  return (
    <div className={styles.top}>
      <Notice tone="error" title="Its transaction succeeded, and does not show the payment">
        <span className={styles.fault}>{fault}</span> It does not end automatically, and the next
        batch of Ethereum waits for it.
      </Notice>
    </div>
  );
}

/** What two people say of a payment exception. */
export function PaymentExceptionPanel({
  exception: { fault, txid, endedAt, resolutions },
  operatorId,
  answer,
}: {
  exception: PaymentException;
  operatorId: string;
  answer: Answer | undefined;
}) {
  const standing = resolutions.find((each) => each.txid === txid && each.state !== "declined");
  const failed = answer?.intent.endsWith("-resolution") ? answer : null;
  const open = standing?.state === "open" ? standing : null;
  return (
    <Panel title="How it ends">
      <div className={layout.form}>
        {endedAt ? <p className={layout.note}>{fault}</p> : null}
        {txid !== null ? <CopyField text={txid} label="transaction id" /> : null}
        {resolutions.map((each) => (
          <Facts
            key={each.id}
            facts={[
              { label: "Said", value: saysWords[each.says] },
              { label: "State", value: stateWords[each.state] },
              ...proposalFacts(each),
            ]}
          />
        ))}
        <FormAlert errors={failed ? [failed.fault] : null} />
        {open && !endedAt ? (
          <FourEyes
            isOwn={open.proposedBy === operatorId}
            confirm={{
              needs: "withdrawals/confirm-resolution",
              intent: "confirm-resolution",
              button: "Confirm proposal",
            }}
            decline={{
              needs: "withdrawals/decline-resolution",
              intent: "decline-resolution",
              button: "Decline",
            }}
            hidden={{ resolutionId: open.id }}
          />
        ) : null}
        {standing || endedAt || txid === null ? null : (
          <ProposeResolution txid={txid} reason={failed?.reason ?? ""} />
        )}
      </div>
    </Panel>
  );
}

function ProposeResolution({ txid, reason }: { txid: string; reason: string }) {
  const may = useMay();
  if (!may("withdrawals/propose-resolution")) return null;
  return (
    <Form method="post" preventScrollReset className={layout.form}>
      <p className={layout.note}>
        Look at the transaction in an explorer, and at what the address held before and after. As
        paid, the whole amount leaves our books; what the customer lacks of it is given as an
        adjustment. If it comes back, the customer has all of it again; what left our wallet all the
        same shows in the reconciliation. A second person confirms it.
      </p>
      <input type="hidden" name="intent" value="propose-resolution" />
      <input type="hidden" name="txid" value={txid} />
      <TextArea
        name="reason"
        label="What you found"
        description="The customer reads it if the amount comes back"
        rows={3}
        required
        maxLength={withdrawalTerms.reasonMax}
        defaultValue={reason}
      />
      <div className={layout.row}>
        <SubmitButton name="says" value="paid" look="quiet">
          The customer was paid
        </SubmitButton>
        <SubmitButton name="says" value="undelivered" look="quiet">
          It comes back
        </SubmitButton>
      </div>
    </Form>
  );
}
