import { Amount, UsdMicros } from "#app/ui/figures/amount.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import type { ContractState } from "#core/mining/contract-state.ts";
import { formatDay } from "#core/utc-day.ts";
import type { ContractWithTotals } from "#server/mining/contracts/list-contracts-with-totals.ts";
import { breakEvenWords, daysLeft, resultUsdMicros } from "./contract-words.ts";
import styles from "./mining.module.css";

interface SoFarProps {
  totals: ContractWithTotals;
  state: ContractState;
  now: Date;
}

/** What has become of a contract: a sentence, how much of its term is served, and what follows from it. */
export function SoFar({ totals, state, now }: SoFarProps) {
  const {
    termDays,
    servedDays,
    creditedSats,
    feesSats,
    endReason,
    projectedLastDay: runs,
  } = totals;
  if (endReason === "given-back") {
    return (
      <p className={styles.state}>
        Refunded before it started:{" "}
        <Amount units={totals.refundedUnits ?? totals.units} asset={totals.coin} />.
      </p>
    );
  }
  const result = resultUsdMicros(totals);
  return (
    <>
      <p className={styles.state}>
        {state === "active" || state === "ended"
          ? `Day ${servedDays} of ${termDays}. `
          : "It has not started. "}
        Mined <Amount units={creditedSats} asset="BTC" />, fees{" "}
        <Amount units={feesSats} asset="BTC" />.{" "}
        <strong>
          <UsdMicros micros={result} signed />
        </strong>
        {totals.lastDay === null ? " so far" : ""} after the price.
      </p>
      <progress
        className={styles.served}
        value={servedDays}
        max={termDays}
        aria-label={`${servedDays} of ${termDays} days served`}
      />
      <Facts
        facts={[
          runs !== null && {
            label: "Runs until",
            value:
              runs > totals.plannedLastDay
                ? `${formatDay(runs)}, ${daysInWords(daysLeft(totals.startsOn, runs, now))} left: extended beyond ${formatDay(totals.plannedLastDay)} for downtime`
                : `${formatDay(runs)}, ${daysInWords(daysLeft(totals.startsOn, runs, now))} left`,
          },
          {
            label: "Mined less fees",
            value: (
              <>
                <Amount units={creditedSats - feesSats} asset="BTC" signed />{" "}
                <span className={styles.quiet}>
                  <UsdMicros micros={totals.creditedUsdMicros - totals.feesUsdMicros} />, each day
                  at its own price
                </span>
              </>
            ),
          },
          totals.unpaidSats > 0n && {
            label: "Unpaid maintenance",
            value: <Amount units={-totals.unpaidSats} asset="BTC" />,
          },
          { label: "Break-even", term: "break-even", value: breakEvenWords(totals) },
          totals.refundedUnits !== null &&
            totals.refundedUnits > 0n && {
              label: "Refunded",
              value: <Amount units={totals.refundedUnits} asset={totals.coin} />,
            },
        ]}
      />
    </>
  );
}

function daysInWords(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}
