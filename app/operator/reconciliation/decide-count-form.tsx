import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import type { EnteredCount } from "#server/reconciliation/list-counts.ts";
import { FourEyes } from "../parts/four-eyes.tsx";

/** What the page says after a form was refused. */
export interface CountFault {
  intent: string;
  reason: string;
  fault: string;
}

interface DecideCountProps {
  count: EnteredCount;
  /** Whether who looks at it has counted it. */
  isOwn: boolean;
  answer: CountFault | undefined;
}

/** What was decided; or the decision, which is a colleague's. */
export function DecideCount({ count, isOwn, answer }: DecideCountProps) {
  if (count.state !== "open") return <Decided count={count} />;
  return (
    <Panel title={isOwn ? "Waits for a colleague" : "Confirm"}>
      <FourEyes
        isOwn={isOwn}
        confirm={{
          needs: "reconciliation/confirm-count",
          intent: "confirm",
          button: "Confirm the count",
        }}
        decline={{
          needs: "reconciliation/reject-count",
          intent: "reject",
          button: "Reject the count",
          reason: { label: "Why not", description: "The person who counted it reads it" },
        }}
        cancel={{
          needs: "reconciliation/withdraw-count",
          intent: "withdraw",
          button: "Cancel the count",
        }}
        answer={answer}
      >
        <p className={layout.note}>
          Look into the wallets yourself. With this the figure is public, and says whether contracts
          are sold.
        </p>
      </FourEyes>
    </Panel>
  );
}

const words = {
  confirmed: "Confirmed by",
  rejected: "Rejected by",
  withdrawn: "Withdrawn by",
  open: "",
} satisfies Record<EnteredCount["state"], string>;

function Decided({ count }: { count: EnteredCount }) {
  const { state, deciderName, decidedAt, rejectionReason } = count;
  return (
    <Panel title="Decision">
      <Facts
        facts={[
          { label: words[state], value: deciderName },
          { label: "At", value: decidedAt },
          { label: "Why not", value: rejectionReason },
        ]}
      />
    </Panel>
  );
}
