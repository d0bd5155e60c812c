import { Link } from "react-router";
import { When } from "#app/ui/figures/when.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { percentOf } from "#app/ui/receipt/percent-of.ts";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { writeHundredths } from "#core/decimal.ts";
import { wholeDayPpm } from "#core/mining/credit.ts";
import { addDays, daysBetween, formatDay, startOfDay } from "#core/utc-day.ts";
import type { Outage } from "#server/fleet/list-outages.ts";
import type { Downtime } from "#server/mining/contracts/find-downtime.ts";
import type { ContractWithTotals } from "#server/mining/contracts/list-contracts-with-totals.ts";
import styles from "./mining.module.css";

/** How many days of it are listed; the CSV has all of them. */
export const downtimeDays = 20;

interface DowntimeProps {
  totals: ContractWithTotals;
  downtime: Downtime;
  outages: Outage[];
}

/** What was not delivered of a contract, why, and how much longer it runs for it. */
export function DowntimePanel({ totals, downtime, outages }: DowntimeProps) {
  const standing = totals.lastDay === null ? outages.filter(({ endedAt }) => endedAt === null) : [];
  if (downtime.count === 0 && standing.length === 0) return null;
  return (
    <Panel title="Downtime" flush={downtime.count > 0}>
      <div className={downtime.count > 0 ? styles.downtime : undefined}>
        {standing.map((outage) => (
          <p key={outage.startedAt.getTime()} className={styles.note}>
            Machines at {outage.siteName} have been down since <When at={outage.startedAt} plain />.{" "}
            {outage.reason}
          </p>
        ))}
        {downtime.count > 0 ? (
          <p className={styles.note}>
            Downtime: {daysInWords(downtime.missedPpm)}, on {downtime.count}{" "}
            {downtime.count === 1 ? "day" : "days"}. {extensionWords(totals)}
            {downtime.count > downtime.days.length
              ? ` The last ${downtime.days.length} are listed; the CSV has all of them.`
              : null}
          </p>
        ) : null}
      </div>
      {downtime.count > 0 ? (
        <DataTable
          label="Days with downtime, newest first"
          bare
          rows={downtime.days}
          rowKey={({ day }) => day}
          columns={[
            {
              head: "UTC day",
              names: true,
              cellClass: styles.day,
              cell: ({ day }) => (
                <Link to={`/account/mining/${totals.contractId}/${day}`}>{day}</Link>
              ),
            },
            {
              head: "Not delivered",
              align: "right",
              cell: ({ servedPpm }) => percentOf(wholeDayPpm - servedPpm),
            },
            {
              head: "What was down",
              cell: ({ day }) =>
                reasonsOf(day, outages).map((reason) => <div key={reason}>{reason}</div>),
            },
          ]}
        />
      ) : null}
    </Panel>
  );
}

/** "0.28 days", the last place rounded as people do. */
function daysInWords(ppm: bigint): string {
  return `${writeHundredths((ppm + 5_000n) / 10_000n)} days`;
}

function extensionWords({ plannedLastDay, lastDay, endReason, projectedLastDay }: Totals): string {
  const end = lastDay ?? projectedLastDay;
  if (end === null || endReason === "unpaid-maintenance") return "";
  if (end <= plannedLastDay) return lastDay !== null ? "" : "We deliver it after the term.";
  const more = daysBetween(plannedLastDay, end);
  return `We extended your contract by ${more} ${more === 1 ? "day" : "days"} at no charge, to ${formatDay(end)}.`;
}

type Totals = DowntimeProps["totals"];

/** Why less was delivered on a day, as far as staff wrote it down. */
function reasonsOf(day: string, outages: Outage[]): string[] {
  const [begin, end] = [startOfDay(day), startOfDay(addDays(day, 1))];
  const ofDay = outages.filter(
    ({ startedAt, endedAt }) => startedAt < end && (endedAt === null || endedAt >= begin),
  );
  return ofDay.length > 0 ? outageReasons(ofDay) : ["The pools measured less than was sold."];
}

/** What was down and why, each once, as customers read it. */
function outageReasons(outages: ReadonlyArray<{ siteName: string; reason: string }>): string[] {
  return [...new Set(outages.map(({ siteName, reason }) => `${siteName}: ${reason}`))];
}
