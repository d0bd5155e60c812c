import { StackedTable } from "#app/ui/tables/stacked-table.tsx";
import { floorOf, formatUsd } from "#core/money.ts";
import { formatDay, utcDay } from "#core/utc-day.ts";
import type { PlanRecord } from "#server/mining/contracts/plan-records.ts";
import styles from "./plans.module.css";

/** What contracts returned, version by version of each plan that was ever sold: also of those that nobody can buy any more. */
export function PlanRecords({ records }: { records: PlanRecord[] | null }) {
  if (records?.length === 0) return null;
  return (
    <section className={styles.comparison} id="records" aria-labelledby="records-title">
      <h2 id="records-title">What contracts that have ended returned</h2>
      {records ? (
        <RecordTable records={records} />
      ) : (
        <p className={styles.note}>
          We could not read the results just now. Please reload this page later.
        </p>
      )}
    </section>
  );
}

function RecordTable({ records }: { records: PlanRecord[] }) {
  return (
    <>
      <StackedTable
        label="What contracts that have ended returned"
        figures
        head={[
          "Plan",
          "Running",
          "Ended",
          "Paid",
          "Worst tenth, middle, best tenth",
          "Below break-even",
          "Came back of $100.00",
        ]}
        answer={6}
        rows={records.map((record) => [
          nameOf(record),
          runningWords(record),
          record.ended.toLocaleString("en-US"),
          ...figuresOf(record),
        ])}
      />
      <p className={styles.note}>
        The last figure is what came back of every $100.00 paid for contracts that have ended: mined
        less maintenance, and what was refunded of the price. Every version that was ever sold is
        here. Tenths and shares are of the money, so that many small contracts hide no large one. A
        contract that is late was not served whole by the day planned for its end, and runs on.
      </p>
    </>
  );
}

function figuresOf(record: PlanRecord): string[] {
  const { ended, usdCents, p10Cents, medianCents, p90Cents } = record;
  if (ended === 0) return Array(4).fill("–");
  const tenths = [p10Cents, medianCents, p90Cents].map((cents) => formatUsd(cents ?? 0n));
  return [
    formatUsd(usdCents),
    tenths.join(", "),
    shareBelow(record),
    formatUsd(returnedPer100(record)),
  ];
}

function nameOf({ name, version, retiredAt }: PlanRecord): string {
  const until = retiredAt ? `, sold until ${formatDay(utcDay(retiredAt))}` : "";
  return `${name}, version ${version}${until}`;
}

function runningWords({ running, overdue }: PlanRecord): string {
  const words = running.toLocaleString("en-US");
  return overdue > 0 ? `${words}, ${overdue.toLocaleString("en-US")} late` : words;
}

/** In cents, of all money that was paid for contracts that have ended. Rounded down. */
export function returnedPer100({ usdMicros, usdCents }: PlanRecord): bigint {
  return floorOf(usdMicros, usdCents);
}

/** Of the money. Rounded up, as nobody should read less than there is. */
export function shareBelow({ belowUsdCents, usdCents }: PlanRecord): string {
  return `${(belowUsdCents * 100n + usdCents - 1n) / usdCents}%`;
}
