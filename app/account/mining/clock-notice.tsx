import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Day, When } from "#app/ui/when.tsx";
import { terms } from "#core/terms.ts";

interface ClockNoticeProps {
  clock: {
    contractId: string;
    planName: string;
    leftMs: number;
    expiresAt: Date;
    waitsFor: { day: string; since: Date } | null;
    unpaidSats: bigint;
    missingSats: bigint;
    availableSats: bigint;
    termination: "refund-unserved" | "forfeit";
  };
}

/** What can end a contract, and when: shown wherever the contract is. */
export function ClockNotice({ clock }: ClockNoticeProps) {
  const { leftMs, waitsFor } = clock;
  const left = `${Math.floor(leftMs / 3_600_000)} h ${Math.floor((leftMs % 3_600_000) / 60_000)} min`;
  const others = clock.availableSats + clock.missingSats - clock.unpaidSats;
  return (
    <Notice
      tone="error"
      role="status"
      title={
        waitsFor
          ? `Maintenance of ${clock.planName} is unpaid. Its clock stands still, with ${left} left`
          : `Unpaid maintenance ends ${clock.planName} in ${left}`
      }
    >
      {waitsFor ? (
        <>
          The clock has stood still since <When at={waitsFor.since} plain />:{" "}
          <Day day={waitsFor.day} /> is over, and what it brought you is not worked out yet. That is
          ours to do. Until it is done, no time runs and nothing ends.
          <br />
        </>
      ) : null}
      Your balance does not cover the maintenance of this contract:{" "}
      <Amount units={clock.unpaidSats} asset="BTC" /> is due.{" "}
      {clock.missingSats > 0n ? (
        <>
          {others > 0n ? (
            <>
              Unpaid fees of your other contracts come before it,{" "}
              <Amount units={others} asset="BTC" /> of them: the oldest fee is taken first.{" "}
            </>
          ) : null}
          With <Amount units={clock.missingSats} asset="BTC" /> more than you have the clock stops.{" "}
        </>
      ) : null}
      If it is still unpaid when the clock has run {terms.terminationClauseHours} hours, the
      contract is cancelled, not before <When at={clock.expiresAt} plain />. The clock stands still
      from the end of each day (UTC) until that day is worked out.
      <br />
      {clock.termination === "refund-unserved"
        ? "The price of days not served would be paid back."
        : "Nothing of its price would be paid back."}{" "}
      <Link to="/account/deposit">A deposit of bitcoin</Link> that covers it stops the clock within
      a minute of being credited.
    </Notice>
  );
}
