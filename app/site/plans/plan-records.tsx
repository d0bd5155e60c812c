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
          "Sold",
          "Ended",
          "Paid",
          "Worst tenth, up to",
          "Middle",
          "Best tenth, from",
          "Below break-even",
          "Returned of $100.00",
        ]}
        answer={8}
        rows={records.map((record) => [
          `${record.name}, version ${record.version}`,
          soldWords(record),
          record.ended.toLocaleString("en-US"),
          formatUsd(record.usdCents),
          formatUsd(record.p10Cents),
          formatUsd(record.medianCents),
          formatUsd(record.p90Cents),
          shareBelow(record),
          formatUsd(returnedPer100(record)),
        ])}
      />
      <p className={styles.note}>
        All versions of all plans, also those that nobody can buy any more. Shares are of the money
        that was paid, so that many small contracts hide no large one.
      </p>
    </section>
  );
}

function soldWords({ publishedAt, retiredAt }: PlanRecord): string {
  const from = dayInWords(utcDay(publishedAt));
  return retiredAt ? `${from} to ${dayInWords(utcDay(retiredAt))}` : `since ${from}`;
}

/** In cents, of all money that was paid for contracts that have ended. */
export function returnedPer100({ usdMicros, usdCents }: PlanRecord): bigint {
  return usdMicros / usdCents;
}

/** Of the money. Rounded up, as nobody should read less than there is. */
export function shareBelow({ belowUsdCents, usdCents }: PlanRecord): string {
  return `${(belowUsdCents * 100n + usdCents - 1n) / usdCents}%`;
}
