import { Textarea } from "@mantine/core";
import { Form } from "react-router";
import { CopyField } from "#app/ui/copy-field.tsx";
import { Facts } from "#app/ui/facts.tsx";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { When } from "#app/ui/when.tsx";
import { type RulingSays, type RulingState, withdrawalTerms } from "#core/withdrawal.ts";
import type { OddPayment } from "#server/withdrawals/queries.ts";
import { ApprovalNote } from "../approval-note.tsx";
import { useMay } from "../use-may.ts";
import styles from "./withdrawals.module.css";

const saysWords: Record<RulingSays, string> = {
  paid: "The customer was paid",
  undelivered: "It did not arrive, and comes back",
};

const stateWords: Record<RulingState, string> = {
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
export function OddPaymentNotice({ fault }: { fault: string | null }) {
  return (
    <div className={styles.top}>
      <Notice tone="error" title="Its transaction succeeded, and does not show the payment">
        <span className={styles.fault}>{fault}</span> It does not end by itself, and the next batch
        of Ethereum waits for it.
      </Notice>
    </div>
  );
}

/** What two people say of an odd payment. */
export function OddPaymentPanel({
  odd: { fault, txid, endedAt, rulings },
  operatorId,
  answer,
}: {
  odd: OddPayment;
  operatorId: string;
  answer: Answer | undefined;
}) {
  const standing = rulings.find((each) => each.txid === txid && each.state !== "declined");
  const failed = answer?.intent.endsWith("-ruling") ? answer : null;
  const open = standing?.state === "open" ? standing : null;
  return (
    <Panel title="How it ends">
      <div className={styles.form}>
        {endedAt ? <p className={styles.note}>{fault}</p> : null}
        {txid !== null ? <CopyField text={txid} label="transaction id" /> : null}
        {rulings.map((each) => (
          <Facts
            key={each.id}
            facts={[
              { label: "Said", value: saysWords[each.says] },
              { label: "State", value: stateWords[each.state] },
              { label: "Why", value: each.reason },
              {
                label: "By",
                value: (
                  <>
                    {each.proposerName}, <When at={each.proposedAt} />
                  </>
                ),
              },
              each.decidedAt !== null && {
                label: each.state === "confirmed" ? "Confirmed by" : "Declined by",
                value: (
                  <>
                    {each.deciderName}, <When at={each.decidedAt} />
                  </>
                ),
              },
            ]}
          />
        ))}
        <FormAlert errors={failed ? [failed.fault] : null} />
        {open && !endedAt ? (
          <DecideRuling rulingId={open.id} isOwn={open.proposedBy === operatorId} />
        ) : null}
        {standing || endedAt || txid === null ? null : (
          <ProposeRuling txid={txid} reason={failed?.reason ?? ""} />
        )}
      </div>
    </Panel>
  );
}

function ProposeRuling({ txid, reason }: { txid: string; reason: string }) {
  const may = useMay();
  if (!may("withdrawals/propose-ruling")) return null;
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      <p className={styles.note}>
        Look at the transaction in an explorer, and at what the address held before and after. As
        paid, the whole amount leaves our books; what the customer lacks of it is given as an
        adjustment. If it comes back, the customer has all of it again; what left our wallet all the
        same shows in the reconciliation. Somebody else confirms it.
      </p>
      <input type="hidden" name="intent" value="propose-ruling" />
      <input type="hidden" name="txid" value={txid} />
      <Textarea
        name="reason"
        label="What you found"
        description="The customer reads it if the amount comes back"
        rows={3}
        required
        withAsterisk={false}
        maxLength={withdrawalTerms.reasonMax}
        defaultValue={reason}
      />
      <div className={styles.buttons}>
        <SubmitButton name="says" value="paid" variant="default">
          The customer was paid
        </SubmitButton>
        <SubmitButton name="says" value="undelivered" variant="default">
          It comes back
        </SubmitButton>
      </div>
    </Form>
  );
}

function DecideRuling({ rulingId, isOwn }: { rulingId: string; isOwn: boolean }) {
  const may = useMay();
  const canConfirm = may("withdrawals/confirm-ruling") && !isOwn;
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      {canConfirm ? null : <p className={styles.note}>Somebody else confirms it.</p>}
      <input type="hidden" name="rulingId" value={rulingId} />
      {canConfirm ? <ApprovalNote /> : null}
      <div className={styles.buttons}>
        {canConfirm ? (
          <SubmitButton name="intent" value="confirm-ruling" pendingText="Confirming…">
            Confirm
          </SubmitButton>
        ) : null}
        {may("withdrawals/decline-ruling") ? (
          <SubmitButton name="intent" value="decline-ruling" variant="default">
            {isOwn ? "Cancel proposal" : "Decline"}
          </SubmitButton>
        ) : null}
      </div>
    </Form>
  );
}
