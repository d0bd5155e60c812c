import type { ReactNode } from "react";
import { Form } from "react-router";
import { FileField, pictureTypes, pictureWords } from "#app/ui/controls/file-field.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { useCoins } from "#app/ui/figures/use-coins.ts";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { type FormFields, useForm } from "#app/ui/forms/use-form.ts";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { adjustmentKindWords, giftKinds, type OutlayKind } from "#core/payments/adjustments.ts";
import { terms } from "#core/terms.ts";
import type { DraftEvidence } from "#server/adjustments/keep-evidence.ts";
import styles from "./adjustments.module.css";
import type { ProposalAnswer } from "./receive-proposal.ts";

interface ProposalFormProps {
  submissionKey: string;
  /** The address of whom the page was opened for, or nothing. */
  customer: string;
  /** What is known of the payment that the page was opened for. */
  arrived: { coin: string; amount: string; txid: string };
  answer: ProposalAnswer | undefined;
}

/** Proposes to give a customer something of the operator's own money. */
export function GiftForm({ submissionKey, customer, answer }: ProposalFormProps) {
  const form = useForm({
    id: "gift",
    lastResult: answer?.result,
    defaultValue: { kind: "goodwill", coin: "BTC", customer },
    checksOnLeave: true,
    rules: async () => (await import("./proposal-schema.ts")).giftSchema,
  });
  return (
    <Panel title="Give to a customer">
      <Frame form={form} submissionKey={submissionKey} answer={answer}>
        <SelectField
          label="What it is"
          description="Shown on the customer's statement. A subsidy carries part of what something costs; goodwill makes up for something"
          choices={giftKinds.map((value) => ({ value, label: adjustmentKindWords[value] }))}
          {...form.field("kind")}
        />
        <TextField
          label="Customer"
          description="E-mail address or id"
          autoComplete="off"
          {...form.field("customer")}
        />
        <Money form={form} />
        <Explanation
          form={form}
          answer={answer}
          readBy="The customer reads it, in the transactions and in a mail"
          shownBy="What shows why: a mail, a ticket, an invoice. Staff alone can see it"
        />
      </Frame>
    </Panel>
  );
}

/** Proposes to book what the operator paid in of his own. */
export function FundingForm({ submissionKey, answer, arrived }: ProposalFormProps) {
  const form = useForm({
    id: "funding",
    lastResult: answer?.result,
    defaultValue: { ...arrived, reason: "", note: "" },
    checksOnLeave: true,
    rules: async () => (await import("./proposal-schema.ts")).fundingSchema,
  });
  return (
    <Panel title="Own money paid in">
      <Frame form={form} submissionKey={submissionKey} answer={answer}>
        <p className={layout.note}>
          Coins of the operator's own that arrived in the wallets for customers. Gifts come out of
          them, and only out of them.
        </p>
        <Money form={form} />
        <TextField
          label="Transaction id"
          description="Of the payment that arrived. Each counts once"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          code
          {...form.field("txid")}
        />
        <Explanation form={form} answer={answer} readBy="Shown in the ledger" shownBy="Optional" />
      </Frame>
    </Panel>
  );
}

const outlayWords: Record<OutlayKind, Record<"title" | "note" | "amount" | "shownBy", string>> = {
  "equity-drawing": {
    title: "Own money taken out",
    note: "The operator's own coins that left the wallets for customers: an invoice that was paid, or profit. Never more than is the operator's own: customers' coins stay covered.",
    amount: "Amount without the network fee",
    shownBy: "What shows why: an invoice, a decision. Staff alone can see it",
  },
  "wallet-transfer": {
    title: "Between own wallets",
    note: "Coins that moved from one of the operator's own wallets to another. They stay in custody; only the network fee is booked.",
    amount: "Amount that moved",
    shownBy: "Optional",
  },
};

/** Proposes to book what the operator sent from the wallets: taken out, or to another wallet of the operator's own. */
export function OutlayForm({
  kind,
  submissionKey,
  answer,
}: Omit<ProposalFormProps, "customer"> & { kind: OutlayKind }) {
  const form = useForm({
    id: kind,
    lastResult: answer?.result,
    defaultValue: { coin: "BTC" },
    checksOnLeave: true,
    rules: async () => {
      const { drawingSchema, outlaySchema } = await import("./proposal-schema.ts");
      return kind === "equity-drawing" ? drawingSchema : outlaySchema;
    },
  });
  const { title, note, amount, shownBy } = outlayWords[kind];
  return (
    <Panel title={title}>
      <Frame form={form} submissionKey={submissionKey} answer={answer}>
        <p className={layout.note}>{note}</p>
        <Money form={form} label={amount} />
        <TextField
          label="Transaction id"
          description="Of the transaction that left the wallet. Each counts once"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          code
          {...form.field("txid")}
        />
        <TextField
          label="Network fee"
          description="In BTC, or in ETH for ether and USDT. Leave it empty once a block holds the transaction: we read it from the chain"
          inputMode="decimal"
          autoComplete="off"
          {...form.field("fee")}
          required={false}
        />
        <Explanation form={form} answer={answer} readBy="Shown in the ledger" shownBy={shownBy} />
      </Frame>
    </Panel>
  );
}

interface FrameProps {
  form: Pick<ReturnType<typeof useForm>, "props" | "errors">;
  submissionKey: string;
  answer: ProposalAnswer | undefined;
  children: ReactNode;
}

function Frame({ form, submissionKey, answer, children }: FrameProps) {
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      preventScrollReset
      className={layout.form}
      {...form.props}
    >
      <FormAlert errors={form.errors} />
      <FormKey fresh={submissionKey} renewed={answer?.submissionKey} />
      {children}
      <div>
        <SubmitButton pendingText="Proposing…">Propose to a colleague</SubmitButton>
      </div>
    </Form>
  );
}

function Money({
  form,
  label = "Amount",
}: {
  form: FormFields<"coin" | "amount">;
  label?: string;
}) {
  const coins = useCoins();
  return (
    <div className={styles.amount}>
      <SelectField label="Coin" choices={[...coins]} {...form.field("coin")} />
      <TextField label={label} inputMode="decimal" autoComplete="off" {...form.field("amount")} />
    </div>
  );
}

interface ExplanationProps {
  form: FormFields<"reason" | "note" | "evidence">;
  answer: ProposalAnswer | undefined;
  /** Who will read the reason, and where. */
  readBy: string;
  /** What the evidence is to show. */
  shownBy: string;
}

/** Why it is proposed: for the customer, for colleagues, and the file that shows it. */
function Explanation({ form, answer, readBy, shownBy }: ExplanationProps) {
  return (
    <>
      <TextArea label="Reason" description={readBy} rows={2} {...form.field("reason")} />
      <TextArea
        label="Note for colleagues"
        description="Optional. Not on the customer's pages, but in the copy of the data that customers can ask for"
        rows={2}
        {...form.field("note")}
      />
      <Evidence
        evidence={answer?.evidence ?? null}
        error={form.error("evidence")}
        about={shownBy}
      />
    </>
  );
}

interface EvidenceProps {
  /** A file that came along with a form that was refused. */
  evidence: DraftEvidence | null;
  error: string | undefined;
  about: string;
}

/** The field of a file that proves something, also in forms of other sections. */
export function Evidence({ evidence, error, about }: EvidenceProps) {
  const description = `${about}. ${pictureWords}, up to ${terms.slipMaxBytes / 1024 / 1024} MB`;
  return (
    <FileField
      id="evidence"
      name="evidence"
      label="Evidence"
      description={description}
      error={error}
      accept={pictureTypes}
    >
      {evidence ? (
        <>
          <input type="hidden" name="evidenceId" value={evidence.evidenceId} />
          <p className={styles.kept}>
            {evidence.name} is kept. Choose another file only to replace it.
          </p>
        </>
      ) : null}
    </FileField>
  );
}
