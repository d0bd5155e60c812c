import type { ReactNode } from "react";
import { Notice } from "#app/ui/notice.tsx";
import { When } from "#app/ui/when.tsx";
import { retention } from "#core/retention.ts";
import { partNames, type VerificationPart, type VerificationState } from "#core/verification.ts";
import { hoursInWords } from "./hours-in-words.ts";

interface StandingNoticeProps {
  state: VerificationState;
  submission: {
    submittedAt: Date;
    decidedAt: Date | null;
    validUntil: Date | null;
    declined: Array<{ part: VerificationPart; reason: string }>;
  } | null;
  hours: { median: number; ninetieth: number; decisions: number } | null;
  documentDays: number;
}

/** Where a customer stands, and what happens next. */
export function StandingNotice({ state, submission, hours, documentDays }: StandingNoticeProps) {
  if (state === "not started" || !submission) return null;
  if (state === "submitted") {
    return (
      <Notice title="Submitted: our staff look at it">
        <HowLong hours={hours} /> You get a mail when it is decided; until then nothing can be
        changed.
        <div>
          Sent on <When at={submission.submittedAt} />
        </div>
      </Notice>
    );
  }
  if (state === "approved" && submission.validUntil && submission.decidedAt) {
    return (
      <Notice tone="success" title="You are verified">
        Your documents are deleted {documentDays} days after the approval. If you move to another
        country, say so below: you are then verified anew.
        <div>
          Approved on <When at={submission.decidedAt} />
        </div>
        <div>
          Holds until <When at={submission.validUntil} />
        </div>
      </Notice>
    );
  }
  if (state === "declined") {
    return (
      <Notice tone="warning" title="Something is to be done again">
        {listed(submission.declined.map(({ part }) => partNames[part]))}: the reasons stand below.
        Everything else was accepted and is not asked for again, if you answer within{" "}
        {retention.unapprovedDocumentDays} days.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" title="Your verification has expired">
      The document that it rested on is no longer valid, its time is over, or you have moved. Send a
      new one to be verified again; what is yours stays yours.
    </Notice>
  );
}

/** How long decisions took, from the real figures. */
export function HowLong({ hours }: { hours: StandingNoticeProps["hours"] }): ReactNode {
  if (!hours) return "How long it takes: no figures yet.";
  if (hours.decisions === 1) return `The last decision took ${hoursInWords(hours.median)}.`;
  return `Of the last ${hours.decisions} decisions half took at most ${hoursInWords(hours.median)}, nine of ten at most ${hoursInWords(hours.ninetieth)}.`;
}

function listed(names: string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}
