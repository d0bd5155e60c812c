import type { ReactNode } from "react";
import { Form } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import type { Fact } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import type { Permission } from "#core/permissions.ts";
import { ApprovalNote } from "./approval-note.tsx";
import { Folded } from "./folded.tsx";
import styles from "./four-eyes.module.css";
import { useMay } from "./use-may.ts";

interface Act {
  needs: Permission;
  intent: string;
  button: string;
  pendingText?: string;
}

/** What a form of two people said after it was refused. */
export interface FourEyesAnswer {
  intent: string;
  reason: string;
  fault: string;
}

interface FourEyesProps {
  /** Whether the reader proposed it: then a colleague decides. */
  isOwn: boolean;
  confirm: Act;
  /** Whether it still applies. */
  canConfirm?: boolean;
  decline: Act & { reason?: { label: string; description: string } };
  /** What the proposer does instead of declining. */
  cancel?: Act;
  /** Which proposal it is. */
  hidden?: Record<string, string>;
  answer?: FourEyesAnswer | null | undefined;
  /** What to look at before one confirms. */
  children?: ReactNode;
}

/** The decision that takes two people: one has proposed, another one confirms or declines. */
export function FourEyes(props: FourEyesProps) {
  const { isOwn, decline, hidden = {}, answer, children } = props;
  const { confirmed, ended, asksWhy } = choicesOf(props, useMay());
  const isAboutReason = asksWhy && answer?.intent === decline.intent;
  return (
    <div className={layout.form}>
      <Form method="post" preventScrollReset className={layout.form}>
        <FormAlert errors={answer && !isAboutReason ? [answer.fault] : null} />
        <Hidden values={hidden} />
        {confirmed ? children : <p className={layout.note}>{whoDecides(isOwn, ended !== null)}</p>}
        {confirmed ? <ApprovalNote /> : null}
        <div className={styles.buttons}>
          {confirmed ? <Confirm act={confirmed} /> : null}
          {ended && !asksWhy ? <End act={ended} isOwn={isOwn} /> : null}
        </div>
      </Form>
      {asksWhy ? <DeclineWithReason decline={decline} hidden={hidden} answer={answer} /> : null}
    </div>
  );
}

/** What the reader can do; null: not that. */
function choicesOf(
  { isOwn, confirm, canConfirm = true, decline, cancel }: FourEyesProps,
  may: (permission: Permission) => boolean,
) {
  const ending = isOwn ? { ...decline, button: "Cancel proposal", ...cancel } : decline;
  const ended = may(ending.needs) ? ending : null;
  return {
    confirmed: canConfirm && !isOwn && may(confirm.needs) ? confirm : null,
    ended,
    // What the proposer cancels in another way needs no reason.
    asksWhy: ended !== null && decline.reason !== undefined && !(isOwn && cancel),
  };
}

function Confirm({ act: { intent, button, pendingText = "Confirming…" } }: { act: Act }) {
  return (
    <SubmitButton name="intent" value={intent} pendingText={pendingText} data-key="a">
      {button}
    </SubmitButton>
  );
}

function End({ act: { intent, button }, isOwn }: { act: Act; isOwn: boolean }) {
  const look = isOwn ? ({ look: "quiet" } as const) : ({ look: "outline", tone: "brick" } as const);
  return (
    <SubmitButton name="intent" value={intent} {...look}>
      {button}
    </SubmitButton>
  );
}

type DeclineProps = Pick<FourEyesProps, "decline" | "answer"> & { hidden: Record<string, string> };

function DeclineWithReason({ decline, hidden, answer }: DeclineProps) {
  const { intent, button, reason } = decline;
  const refused = answer?.intent === intent ? answer : null;
  return (
    <Folded title={button} open={refused !== null}>
      <Form method="post" preventScrollReset className={layout.form}>
        <FormAlert errors={refused ? [refused.fault] : null} />
        <Hidden values={hidden} />
        <TextArea
          name="reason"
          label={reason?.label}
          description={reason?.description}
          rows={3}
          required
          maxLength={1000}
          defaultValue={refused?.reason ?? ""}
          data-key="r"
        />
        <div>
          <SubmitButton name="intent" value={intent} look="outline" tone="brick">
            {button}
          </SubmitButton>
        </div>
      </Form>
    </Folded>
  );
}

function Hidden({ values }: { values: Record<string, string> }) {
  return Object.entries(values).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

function whoDecides(isOwn: boolean, canEnd: boolean): string {
  if (!isOwn) return "A colleague with another role decides.";
  return canEnd
    ? "You proposed this, so a colleague decides. Until then you can cancel it."
    : "You proposed this, so a colleague decides.";
}

interface Decided {
  state: string;
  reason: string | null;
  proposerName: string | null;
  proposedAt: Date;
  deciderName: string | null;
  decidedAt: Date | null;
}

/** Why, by whom, and who decided: rows under what was proposed. */
export function proposalFacts({ state, reason, ...people }: Decided): (Fact | false)[] {
  const { proposerName, proposedAt, deciderName, decidedAt } = people;
  const declined = state === "declined" || state === "rejected";
  return [
    { label: "Why", value: reason },
    { label: "Proposed by", value: <Who name={proposerName} at={proposedAt} /> },
    decidedAt !== null && {
      label: declined ? "Declined by" : "Confirmed by",
      value: <Who name={deciderName} at={decidedAt} />,
    },
  ];
}

function Who({ name, at }: { name: string | null; at: Date }) {
  return (
    <>
      {name}, <When at={at} />
    </>
  );
}
