import { When } from "#app/ui/figures/when.tsx";
import type { TimelineEvent } from "#app/ui/page/timeline.tsx";
import { chainOf, withdrawalTerms } from "#core/payments/withdrawal.ts";
import { formatDay } from "#core/utc-day.ts";
import type { WithdrawalCase } from "#server/withdrawals/find-withdrawal.ts";

/** What happened to a withdrawal, and what is still to come. */
export function eventsOf(withdrawal: WithdrawalCase, leaves: string): TimelineEvent[] {
  const soFar = [...past(withdrawal), ...holds(withdrawal)].sort(
    (one, other) => Number(one.at) - Number(other.at),
  );
  return [...soFar, ...ending(withdrawal, leaves)];
}

function past(withdrawal: WithdrawalCase): TimelineEvent[] {
  const { requestedAt, confirmedAt, approvedAt, batchedAt, batchDay, broadcastAt } = withdrawal;
  const events: (TimelineEvent | false)[] = [
    { title: "Requested; the amount is held", at: requestedAt },
    confirmedAt !== null && { title: "Confirmed by the link in the e-mail", at: confirmedAt },
    approvedAt !== null && { title: "Approved by our staff", at: approvedAt, tone: "good" },
    batchedAt !== null && {
      title: `In the batch of ${formatDay(batchDay ?? "")} (UTC)`,
      at: batchedAt,
    },
    broadcastAt !== null && { title: "Sent to the network", at: broadcastAt, tone: "good" },
  ];
  return events.filter((event) => event !== false);
}

function holds({ holds: all, endedAt }: WithdrawalCase): TimelineEvent[] {
  return all.map(({ reason, owner, placedAt, endsAt, liftedAt }) => ({
    title: `Held by ${owner} of our staff`,
    at: placedAt,
    tone: "waiting" as const,
    body: (
      <>
        {reason}
        {endedAt && !liftedAt && endedAt < endsAt ? null : (
          <>
            <br />
            {liftedAt ? "It was ended early, on " : "It ends automatically on "}
            <When at={liftedAt ?? endsAt} plain />.
          </>
        )}
      </>
    ),
  }));
}

const endings: Record<string, { title: string; tone: "good" | "bad" | "plain" }> = {
  settled: { title: "Confirmed on chain", tone: "good" },
  cancelled: { title: "Cancelled", tone: "plain" },
  rejected: { title: "Rejected", tone: "bad" },
  returned: { title: "Returned to your balance", tone: "bad" },
};

const cancelledBy: Record<string, string> = {
  customer: "By you.",
  "mail-link": "By the link in the e-mail.",
  time: "It was not confirmed in time.",
};

function ending(withdrawal: WithdrawalCase, leaves: string): TimelineEvent[] {
  const { state, endedAt, endedBy, minedHeight } = withdrawal;
  const ended = endings[state];
  if (ended) {
    const body = endedBy ? cancelledBy[endedBy] : undefined;
    return [{ ...ended, at: endedAt, ...(body && { body }) }];
  }
  if (state === "broadcast") {
    const final =
      chainOf[withdrawal.asset] === "bitcoin"
        ? `It is final after ${withdrawalTerms.confirmations} blocks.`
        : "It is final when Ethereum finalizes that block, after about 15 minutes.";
    const body =
      minedHeight === null
        ? "It waits for a block. If that takes long, we raise the fee at our cost."
        : `In block ${minedHeight}. ${final}`;
    return [{ title: "To be confirmed on chain", tone: "waiting", body }];
  }
  if (state === "requested") {
    return [{ title: "To be confirmed by you, by e-mail", tone: "waiting" }];
  }
  const title =
    state === "confirmed" ? "To be approved by our staff" : `Leaves on ${formatDay(leaves)} (UTC)`;
  return [{ title, tone: "waiting" }];
}
