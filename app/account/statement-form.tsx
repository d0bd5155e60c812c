import { Button, NativeSelect } from "@mantine/core";
import { Panel } from "#app/ui/panel.tsx";
import { longDay } from "#core/market-overview.ts";
import { monthOptions, type PeriodKind, type TaxYearStart } from "#core/statement-period.ts";
import styles from "./transactions.module.css";

interface StatementFormProps {
  /** Where the tax year begins. */
  start: TaxYearStart;
  options: Array<{ kind: PeriodKind; value: string; label: string }>;
  /** What happened before this day was moved to the archive: "2026-11-01", in UTC. */
  archivedBefore: string | null;
}

const groups: Array<[PeriodKind, string]> = [
  ["month", "Months"],
  ["year", "Years"],
  ["tax-year", "Tax years"],
];
const formats = [
  ["pdf", "PDF"],
  ["csv", "CSV"],
  ["json", "JSON"],
] as const;
const days = Array.from({ length: 28 }, (_, place) => String(place + 1));

/** Takes a statement of a month, a year or a tax year away. Sent by the browser itself: what comes back is a file. */
export function StatementForm({ start, options, archivedBefore }: StatementFormProps) {
  const data = groups.map(([kind, group]) => {
    const items = options.filter((option) => option.kind === kind);
    const named = kind === "tax-year" ? items.map(taxYear) : items;
    return { group, items: named.map(({ value, label }) => ({ value, label })) };
  });
  return (
    <section id="statement" className={styles.statement}>
      <Panel title="Statement">
        <form method="get" className={styles.form}>
          <NativeSelect
            name="period"
            label="Of"
            description="UTC days, both ends included"
            data={data}
            className={styles.period ?? ""}
          />
          <fieldset className={styles.start}>
            <legend>The tax year begins on</legend>
            <NativeSelect
              name="startDay"
              aria-label="Day on which the tax year begins"
              data={days}
              defaultValue={String(start.day)}
            />
            <NativeSelect
              name="startMonth"
              aria-label="Month in which the tax year begins"
              data={monthOptions}
              defaultValue={String(start.month)}
            />
          </fieldset>
          <div className={styles.formats}>
            {formats.map(([format, words]) => (
              <Button
                key={format}
                type="submit"
                variant={format === "pdf" ? "filled" : "default"}
                formAction={`/account/transactions/statement.${format}`}
              >
                {words}
              </Button>
            ))}
          </div>
        </form>
        {archivedBefore ? (
          <p className={styles.note}>
            What happened before {longDay(archivedBefore)} is in the archive, and no statement here
            begins earlier. <a href="/contact">Write to us</a> for an older one.
          </p>
        ) : null}
        <p className={styles.note}>
          The PDF carries a code by which anybody who holds it can check its figures on the page{" "}
          <a href="/verify-statement">Check a statement</a>, without a name. CSV and JSON hold every
          entry with its value in US dollars, the price and where it comes from; their numbers can
          be summed as they are.
        </p>
      </Panel>
    </section>
  );
}

/** Its start is chosen beside it. */
function taxYear({ value }: StatementFormProps["options"][number]) {
  return { value, label: `Tax year that begins in ${value.slice(-4)}` };
}
