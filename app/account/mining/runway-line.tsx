import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { Hourglass } from "#app/ui/icons.tsx";
import { type Runway, runwayInWords, thresholdOf } from "#core/mining/runway.ts";
import { terms } from "#core/terms.ts";
import { formatDay } from "#core/utc-day.ts";
import styles from "./runway-line.module.css";

interface RunwayLineProps {
  runway: Runway | null;
  unpaidSats: bigint;
}

/** How long the bitcoin of an account covers maintenance, and what to do when that is not long. */
export function RunwayLine({ runway, unpaidSats }: RunwayLineProps) {
  if (unpaidSats > 0n) {
    return (
      <p className={`${styles.line} ${styles.unpaid}`}>
        <Hourglass size={18} strokeWidth={1.75} aria-hidden="true" />
        <span>
          Maintenance of <Amount units={unpaidSats} asset="BTC" plain /> is unpaid. A contract is
          cancelled after {terms.terminationClauseHours} hours.
        </span>
        <Link to="/account/deposit">Deposit Bitcoin</Link>
      </p>
    );
  }
  if (!runway) return null;
  const isShort = thresholdOf(runway) !== null;
  return (
    <p className={`${styles.line} ${isShort ? styles.short : ""}`}>
      <Hourglass size={18} strokeWidth={1.75} aria-hidden="true" />
      <span>
        <RunwayWords runway={runway} /> <Hallmark reason={estimate} />
      </span>
      {isShort ? <Link to="/account/deposit">Deposit Bitcoin</Link> : null}
    </p>
  );
}

const estimate =
  "This is an estimate: maintenance at the last price of Bitcoin, less what your contracts mined in the last 7 days.";

function RunwayWords({ runway: { days, endsOn, missingSats } }: { runway: Runway }) {
  const end = <time dateTime={endsOn}>{formatDay(endsOn)}</time>;
  if (days === null) {
    return (
      <>Your BTC covers maintenance to the end of your last contract, {end}, at today’s rate.</>
    );
  }
  return (
    <>
      Your BTC covers maintenance for {runwayInWords(days)} at today’s rate.{" "}
      <Amount units={missingSats} asset="BTC" plain /> more covers it to the end of your last
      contract, {end}.
    </>
  );
}
