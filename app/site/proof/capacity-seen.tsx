import { DayChart } from "#app/ui/charts/day-chart.tsx";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatDay } from "#core/utc-day.ts";
import type { FleetDay } from "#server/fleet/list-fleet-days.ts";
import styles from "./proof.module.css";

interface CapacitySeenProps {
  /** The oldest first. */
  days: FleetDay[];
  /** Null: in the first two weeks what was entered counts. */
  seenGhs: bigint | null;
  reservePpm: number;
}

/** How much hashrate we can sell, by what pools measured and paid, with what is entered and sold beside it. */
export function CapacitySeen({ days, seenGhs, reservePpm }: CapacitySeenProps) {
  return (
    <section className={styles.section} aria-labelledby="hashrate">
      <h2 id="hashrate">Hashrate that pools saw</h2>
      <p className={styles.note}>
        We sell no more than the least of three: what our machines can do as we entered it, the
        median of what pools measured on the last seven credited days, and 1.25 times the hashrate
        that their payouts of those days are worth at what the Bitcoin network paid. Of that we keep
        back {writeDecimal(BigInt(reservePpm), 4)} %. PostgreSQL refuses more. {boundWords(seenGhs)}
      </p>
      {days.length === 0 ? null : (
        <>
          <div className={styles.chart}>
            <DayChart
              label={`Hashrate entered, sold, measured and paid for from ${days[0]?.day} to ${days.at(-1)?.day}. The table below holds the figures.`}
              days={days.map(({ day }) => day)}
              write={(ghs) => formatGhs(BigInt(Math.round(ghs)))}
              series={[
                { name: "Entered", line: "first", values: valuesOf(days, "capacityGhs") },
                { name: "Sold", line: "second", values: valuesOf(days, "soldGhs") },
                { name: "Measured by pools", line: "third", values: valuesOf(days, "reportedGhs") },
                { name: "Paid for by pools", line: "fourth", values: valuesOf(days, "impliedGhs") },
              ]}
            />
          </div>
          <details className={styles.figures}>
            <summary>Figures of {days.length} days</summary>
            <DataTable
              label="Hashrate by day, newest first"
              dense
              rows={days.toReversed()}
              rowKey={({ day }) => day}
              columns={[
                { head: "Day", cell: ({ day }) => formatDay(day), names: true },
                { head: "Entered", cell: (day) => formatGhs(day.capacityGhs), align: "right" },
                { head: "Sold", cell: (day) => formatGhs(day.soldGhs), align: "right" },
                { head: "Owed", cell: (day) => formatGhs(day.owedGhs), align: "right" },
                { head: "Measured", cell: (day) => orDash(day.reportedGhs), align: "right" },
                { head: "Paid for", cell: (day) => orDash(day.impliedGhs), align: "right" },
              ]}
            />
          </details>
          <p className={styles.note}>
            Owed is what contracts that ran on past their end still get for downtime. Paid for is an
            average of seven days.
          </p>
        </>
      )}
    </section>
  );
}

function boundWords(seenGhs: bigint | null): string {
  if (seenGhs === null)
    return "Today what we entered counts alone: until seven days were credited, and for two weeks after our first machines at most, nothing else is known.";
  return seenGhs === 0n
    ? "Fewer than seven of the last ten days are credited, or pools saw nothing on them: we sell nothing. Contracts that run go on."
    : `By the newest credited day the bound is ${formatGhs(seenGhs)}, before what we keep back. Were fewer than seven of the last ten days credited, we would sell nothing.`;
}

function valuesOf(days: FleetDay[], of: "capacityGhs" | "soldGhs" | "reportedGhs" | "impliedGhs") {
  return days.map((day) => (day[of] === null ? null : Number(day[of])));
}

const orDash = (ghs: bigint | null) => (ghs === null ? "–" : formatGhs(ghs));
