import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { When } from "#app/ui/when.tsx";
import { terms } from "#core/terms.ts";

interface ClockNoticeProps {
  clock: {
    contractId: string;
    planName: string;
    expiresAt: Date;
    unpaidSats: bigint;
    missingSats: bigint;
    availableSats: bigint;
    termination: "refund-unserved" | "forfeit";
  };
  /** By the server's clock. */
  now: Date;
}

/** What can end a contract, and when: shown wherever the contract is. */
export function ClockNotice({ clock, now }: ClockNoticeProps) {
  const left = Math.max(0, clock.expiresAt.getTime() - now.getTime());
  const hours = Math.floor(left / 3_600_000);
  const minutes = Math.floor((left % 3_600_000) / 60_000);
  const others = clock.availableSats + clock.missingSats - clock.unpaidSats;
  return (
    <Notice
      tone="error"
      role="status"
      title={`Unpaid maintenance ends ${clock.planName} in ${hours} h ${minutes} min`}
    >
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
      If it is still unpaid {terms.terminationClauseHours} hours after the first fee was missed, the
      contract is cancelled: <When at={clock.expiresAt} plain />
      <br />
      {clock.termination === "refund-unserved"
        ? "The price of days not served would be paid back."
        : "Nothing of its price would be paid back."}{" "}
      <Link to="/account/deposit">A deposit of bitcoin</Link> that covers it stops the clock within
      a minute of being credited.
    </Notice>
  );
}
