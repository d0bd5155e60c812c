import { Textarea } from "@mantine/core";
import { Form } from "react-router";
import { Facts } from "#app/ui/facts.tsx";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { When } from "#app/ui/when.tsx";
import type { EnteredCount } from "#server/reconciliation/queries.ts";
import styles from "../adjustments/adjustments.module.css";
import grid from "../deposit.module.css";
import { useMay } from "../use-may.ts";

/** What the page says after a form was refused. */
export interface CountFault {
  intent: string;
  reason: string;
  fault: string;
  /** Somebody else had decided by then. */
  late: boolean;
}

interface DecideCountProps {
  count: EnteredCount;
  /** Whether who looks at it has counted it. */
  isOwn: boolean;
  answer: CountFault | undefined;
}

/** What was decided; or the decision, for who may and has not counted it himself. */
export function DecideCount({ count, isOwn, answer }: DecideCountProps) {
  const may = useMay();
  if (count.state !== "open") return <Decided count={count} />;
  if (isOwn) {
    return (
      <Panel title="Waits for a colleague">
        <Form method="post" preventScrollReset className={styles.form}>
          <FormAlert errors={faultsOf(answer, "withdraw")} />
          <p className={styles.note}>You counted this, so somebody else confirms it.</p>
          <div>
            <SubmitButton name="intent" value="withdraw" variant="outline">
              Take the count back
            </SubmitButton>
          </div>
        </Form>
      </Panel>
    );
  }
  if (!may("reconciliation/confirm-count")) {
    return (
      <Notice title="Waits for an approver">
        Your role sees this count; confirming and rejecting is for others.
      </Notice>
    );
  }
  return (
    <>
      <Panel title="Confirm">
        <Form method="post" preventScrollReset className={styles.form}>
          <FormAlert errors={faultsOf(answer, "confirm")} />
          <p className={styles.note}>
            Look into the wallets yourself. With this the figure is public, and says whether
            contracts are sold.
          </p>
          <div>
            <SubmitButton name="intent" value="confirm" pendingText="Confirming…" data-key="a">
              Confirm the count
            </SubmitButton>
          </div>
        </Form>
      </Panel>
      <Reject answer={answer} />
    </>
  );
}

function Reject({ answer }: Pick<DecideCountProps, "answer">) {
  const faults = faultsOf(answer, "reject");
  return (
    <details className={grid.fold} open={faults !== null}>
      <summary className={grid.summary}>Reject</summary>
      <div className={grid.folded}>
        <Form method="post" preventScrollReset className={styles.form}>
          <FormAlert errors={faults} />
          <Textarea
            name="reason"
            label="Why not"
            description="Who counted it reads it"
            rows={3}
            required
            withAsterisk={false}
            maxLength={1000}
            defaultValue={faults ? answer?.reason : ""}
            data-key="r"
          />
          <div>
            <SubmitButton name="intent" value="reject" variant="outline" color="brick">
              Reject the count
            </SubmitButton>
          </div>
        </Form>
      </div>
    </details>
  );
}

function faultsOf(answer: CountFault | undefined, intent: string): string[] | null {
  return answer?.intent === intent && !answer.late ? [answer.fault] : null;
}

const words = {
  confirmed: "Confirmed by",
  rejected: "Rejected by",
  withdrawn: "Taken back by",
  open: "",
} satisfies Record<EnteredCount["state"], string>;

function Decided({ count }: { count: EnteredCount }) {
  const { state, deciderName, decidedAt, rejectionReason } = count;
  return (
    <Panel title="Decision">
      <Facts
        facts={[
          { label: words[state], value: deciderName },
          decidedAt !== null && { label: "At", value: <When at={decidedAt} /> },
          rejectionReason !== null && { label: "Why not", value: rejectionReason },
        ]}
      />
    </Panel>
  );
}
