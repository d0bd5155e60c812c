import type { ReactNode } from "react";
import { When } from "#app/ui/figures/when.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { type KycPart, type KycState, partNames } from "#core/people/kyc.ts";
import { retention } from "#core/retention.ts";

interface StandingNoticeProps {
  state: KycState;
  submission: {
    submittedAt: Date;
    decidedAt: Date | null;
    validUntil: Date | null;
    declined: Array<{ part: KycPart; reason: string }>;
  } | null;
  hours: { median: number; ninetieth: number; decisions: number } | null;
  documentDays: number;
}

/** The state of a customer's verification, and what happens next. */
export function StandingNotice({ state, submission, hours, documentDays }: StandingNoticeProps) {
  if (state === "not started" || !submission) return null;
  if (state === "submitted") {
    return (
      <Notice title="Submitted: our staff are checking it">
        <HowLong hours={hours} /> We e-mail you when we have decided; until then you cannot change
        anything.
        <div>
          Sent on <When at={submission.submittedAt} />
        </div>
      </Notice>
    );
  }
  if (state === "approved" && submission.validUntil && submission.decidedAt) {
    return (
      <Notice tone="success" title="You are verified">
        We delete your documents {documentDays} days after the approval. If you move to another
        country, tell us below: you are then verified again.
        <div>
          Approved on <When at={submission.decidedAt} />
        </div>
        <div>
          Valid until <When at={submission.validUntil} />
        </div>
      </Notice>
    );
  }
  if (state === "declined") {
    return (
      <Notice tone="warning" title="Please send some of it again">
        {listed(submission.declined.map(({ part }) => partNames[part]))}: see the reasons below. We
        accepted everything else and do not ask for it again, if you answer within{" "}
        {retention.unapprovedDocumentDays} days.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" title="Your verification has expired">
      Your document is no longer valid, the time is over, or you have moved. Send a new one to be
      verified again. Your balance and contracts are not affected.
    </Notice>
  );
}

/** How long decisions took, from the real figures. */
export function HowLong({ hours }: { hours: StandingNoticeProps["hours"] }): ReactNode {
  if (!hours) return "We have no figures yet for how long it takes.";
  if (hours.decisions === 1) return `The last decision took ${hoursInWords(hours.median)}.`;
  return `Half of our last ${hours.decisions} decisions took at most ${hoursInWords(hours.median)}, nine of ten at most ${hoursInWords(hours.ninetieth)}.`;
}

function listed(names: string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}

/** A span of hours in its natural unit, rounded up: "20 minutes", "5 hours", "3 days". */
function hoursInWords(hours: number): string {
  if (hours < 1) return counted(Math.max(1, Math.ceil(hours * 60)), "minute");
  if (hours < 48) return counted(Math.ceil(hours), "hour");
  return counted(Math.ceil(hours / 24), "day");
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
