import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { terms } from "#core/terms.ts";
import { formatDay } from "#core/utc-day.ts";

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
          ? `Maintenance of ${clock.planName} is unpaid. The timer is paused, with ${left} left`
          : `Unpaid maintenance ends ${clock.planName} in ${left}`
      }
    >
      {waitsFor ? (
        <>
          The timer has been paused since <When at={waitsFor.since} plain />: we have not settled{" "}
          {formatDay(waitsFor.day)} yet. Until we do, no time runs and nothing ends.
          <br />
        </>
      ) : null}
      Your balance does not cover the maintenance fee of this contract:{" "}
      <Amount units={clock.unpaidSats} asset="BTC" /> is due.{" "}
      {clock.missingSats > 0n ? (
        <>
          {others > 0n ? (
            <>
              Unpaid fees of your other contracts come first, <Amount units={others} asset="BTC" />{" "}
              of them: we take the oldest fee first.{" "}
            </>
          ) : null}
          With <Amount units={clock.missingSats} asset="BTC" /> more than you have the timer stops.{" "}
        </>
      ) : null}
      If it is still unpaid after {terms.terminationClauseHours} hours on the timer, we cancel the
      contract, not before <When at={clock.expiresAt} plain />. The timer pauses each night until we
      have settled that day.
      <br />
      {clock.termination === "refund-unserved"
        ? "We would refund the price of days not served."
        : "Its price would not be refunded."}{" "}
      <Link to="/account/deposit">A deposit of bitcoin</Link> that covers it stops the timer within
      a minute of being credited.
    </Notice>
  );
}
