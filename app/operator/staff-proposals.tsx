import { Button } from "@mantine/core";
import { Form, Link } from "react-router";
import { SubmitButton } from "#app/ui/form-fields.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { When } from "#app/ui/when.tsx";
import type { ListedStaffChange } from "#server/identity/staff-queries.ts";
import list from "./console-list.module.css";
import styles from "./staff.module.css";
import { useMay } from "./use-may.ts";

interface StaffProposalsProps {
  waiting: ListedStaffChange[];
  past: ListedStaffChange[];
  /** Who looks at it. */
  operatorId: string;
}

/** What one owner wants done about staff and another one has to confirm. */
export function StaffProposals({ waiting, past, operatorId }: StaffProposalsProps) {
  return (
    <>
      {waiting.length > 0 ? (
        <Panel title="Waiting for a second owner" flush>
          <ul className={styles.proposals}>
            {waiting.map((change) => (
              <li key={change.id} id={change.id} className={styles.proposal}>
                <What change={change} />
                <Choices change={change} operatorId={operatorId} />
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
      {past.length > 0 ? (
        <Panel title="Decided or over" flush>
          <ul className={styles.proposals}>
            {past.map((change) => (
              <li key={change.id} id={change.id} className={styles.proposal}>
                <What change={change} />
                <div>
                  <StatusBadge status={change.state} tone={tones[change.state]} />
                  {change.decidedAt ? (
                    <div className={list.second}>
                      {change.endedBy
                        ? endedBecause(change, change.endedBy)
                        : `by ${change.decidedBy}`}
                      , <When at={change.decidedAt} />
                    </div>
                  ) : null}
                </div>
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
    </>
  );
}

const tones = {
  open: "waiting",
  confirmed: "good",
  declined: "bad",
  withdrawn: "plain",
  expired: "plain",
  ended: "plain",
} as const;

function endedBecause(
  { name, proposedBy }: ListedStaffChange,
  { act, who }: NonNullable<ListedStaffChange["endedBy"]>,
): string {
  return `${who === "concerned" ? name : proposedBy.name} ${happened[act] ?? "was changed"}`;
}

const happened: Record<string, string> = {
  "identity/suspend-operator": "was suspended",
  "identity/reinstate-operator": "was reinstated",
  "identity/change-role": "got another role",
};

function What({ change }: { change: ListedStaffChange }) {
  const { operatorId, name, email, reason, proposedBy, proposedAt, expiresAt, state } = change;
  const person = operatorId ? <Link to={`/operator/staff/${operatorId}`}>{name}</Link> : name;
  return (
    <div className={styles.what}>
      <strong>
        {verbs[change.kind]} {person}
        {change.role ? `${change.kind === "invite" ? " as" : " to"} ${change.role}` : ""}
      </strong>
      <div className={list.second}>{email}</div>
      <div className={list.second}>
        Proposed by {proposedBy.name}, <When at={proposedAt} />
      </div>
      {state === "open" ? (
        <div className={list.second}>
          Expires <When at={expiresAt} />
        </div>
      ) : null}
      {reason ? <p className={styles.reason}>{reason}</p> : null}
    </div>
  );
}

const verbs = {
  invite: "Invite",
  suspend: "Suspend",
  reinstate: "Reinstate",
  "change-role": "Change the role of",
} as const;

/** What who looks at it can do: nobody confirms his own proposal, or decides about himself. */
function Choices({ change, operatorId }: { change: ListedStaffChange; operatorId: string }) {
  const may = useMay();
  const isOwn = change.proposedBy.id === operatorId;
  if (!may(isOwn ? "identity/withdraw-staff-change" : "identity/confirm-staff-change")) return null;
  if (!isOwn && change.operatorId === operatorId) {
    return <span className={list.second}>It concerns you: another owner decides.</span>;
  }
  return (
    <Form method="post" preventScrollReset className={styles.actions}>
      <input type="hidden" name="changeId" value={change.id} />
      {isOwn ? (
        <Button type="submit" name="intent" value="withdraw" variant="default">
          Cancel proposal
        </Button>
      ) : (
        <>
          <SubmitButton name="intent" value="confirm" pendingText="Confirming…">
            Confirm
          </SubmitButton>
          <Button type="submit" name="intent" value="decline" variant="outline" color="brick">
            Decline
          </Button>
        </>
      )}
    </Form>
  );
}
