import { StackedTable } from "#app/ui/tables/stacked-table.tsx";
import { formatUsd } from "#core/money.ts";
import { utcDay } from "#core/utc-day.ts";
import type { PlanRecord } from "#server/mining/contracts/plan-records.ts";
import { dayInWords } from "../legal/day-in-words.ts";
import styles from "./plans.module.css";

/** What contracts returned, version by version of each plan: also of those that nobody can buy any more. */
export function PlanRecords({ records }: { records: PlanRecord[] | null }) {
  if (!records || records.length === 0) return null;
  return (
    <section className={styles.comparison} id="records" aria-labelledby="records-title">
      <h2 id="records-title">What contracts that have ended returned</h2>
      <StackedTable
        label="What contracts that have ended returned"
        figures
        head={[
          "Plan",
          "Ended",
          "Paid",
          "Worst tenth, middle, best tenth",
          "Below break-even",
          "Came back of $100.00",
        ]}
        answer={5}
        rows={records.map((record) => [
          nameOf(record),
          record.ended.toLocaleString("en-US"),
          formatUsd(record.usdCents),
          [record.p10Cents, record.medianCents, record.p90Cents]
            .map((cents) => formatUsd(cents))
            .join(", "),
          shareBelow(record),
          formatUsd(returnedPer100(record)),
        ])}
      />
      <p className={styles.note}>
        The last figure is what came back of every $100.00 paid: mined less maintenance, and what
        was refunded. All versions of all plans are here, also those that nobody can buy any more.
        Tenths and shares are of the money that was paid, so that many small contracts hide no large
        one.
      </p>
    </section>
  );
}

function nameOf({ name, version, retiredAt }: PlanRecord): string {
  const until = retiredAt ? `, sold until ${dayInWords(utcDay(retiredAt))}` : "";
  return `${name}, version ${version}${until}`;
}

/** In cents, of all money that was paid for contracts that have ended. Rounded as each contract's is. */
export function returnedPer100({ usdMicros, usdCents }: PlanRecord): bigint {
  const half = usdMicros < 0n ? -usdCents : usdCents;
  return (2n * usdMicros + half) / (2n * usdCents);
}

/** Of the money. Rounded up, as nobody should read less than there is. */
export function shareBelow({ belowUsdCents, usdCents }: PlanRecord): string {
  return `${(belowUsdCents * 100n + usdCents - 1n) / usdCents}%`;
}
