import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import type { ListedStaffChange } from "#server/identity/staff/list-staff-changes.ts";
import list from "../parts/console-list.module.css";
import { FourEyes } from "../parts/four-eyes.tsx";
import styles from "./staff.module.css";

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
          <ul className={layout.plain}>
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
          <ul className={layout.plain}>
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

/** What the reader can do: a colleague confirms, and another one than the proposal is about. */
function Choices({ change, operatorId }: { change: ListedStaffChange; operatorId: string }) {
  const isOwn = change.proposedBy.id === operatorId;
  if (!isOwn && change.operatorId === operatorId) {
    return <span className={list.second}>It is about you, so another owner decides.</span>;
  }
  return (
    <FourEyes
      isOwn={isOwn}
      confirm={{ needs: "identity/confirm-staff-change", intent: "confirm", button: "Confirm" }}
      decline={{ needs: "identity/confirm-staff-change", intent: "decline", button: "Decline" }}
      cancel={{
        needs: "identity/withdraw-staff-change",
        intent: "withdraw",
        button: "Cancel proposal",
      }}
      hidden={{ changeId: change.id }}
    />
  );
}
