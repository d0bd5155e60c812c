import { Button } from "#app/ui/controls/button.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import {
  monthOptions,
  type PeriodKind,
  type TaxYearStart,
} from "#core/payments/statement-period.ts";
import { formatDay } from "#core/utc-day.ts";
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

/** Downloads a statement of a month, a year or a tax year. Sent by the browser itself: the answer is a file. */
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
          <SelectField
            name="period"
            label="Of"
            description="UTC days, both ends included"
            choices={data}
            className={styles.period ?? ""}
          />
          <fieldset className={styles.start}>
            <legend>The tax year begins on</legend>
            <SelectField
              name="startDay"
              aria-label="Day on which the tax year begins"
              choices={days}
              defaultValue={String(start.day)}
            />
            <SelectField
              name="startMonth"
              aria-label="Month in which the tax year begins"
              choices={monthOptions}
              defaultValue={String(start.month)}
            />
          </fieldset>
          <div className={styles.formats}>
            {formats.map(([format, words]) => (
              <Button
                key={format}
                type="submit"
                look={format === "pdf" ? "filled" : "quiet"}
                formAction={`/account/transactions/statement.${format}`}
              >
                {words}
              </Button>
            ))}
          </div>
        </form>
        {archivedBefore ? (
          <p className={styles.note}>
            Entries before {formatDay(archivedBefore)} are in the archive, so no statement here
            begins earlier. <a href="/contact">Write to us</a> for an older one.
          </p>
        ) : null}
        <p className={styles.note}>
          The PDF carries a code. Anyone you give it to can check the figures at{" "}
          <a href="/verify-statement">Check a statement</a>, without seeing your name. CSV and JSON
          have every entry with its value in US dollars, the price and its source; you can sum their
          numbers as they are.
        </p>
      </Panel>
    </section>
  );
}

/** Its start is chosen next to it. */
function taxYear({ value }: StatementFormProps["options"][number]) {
  return { value, label: `Tax year that begins in ${value.slice(-4)}` };
}
