import { utcDay } from "#core/utc-day.ts";
import { dayInWords } from "./legal/day-in-words.ts";
import styles from "./network-facts.module.css";

interface WithdrawalFactsProps {
  figures: {
    medianHours: number | null;
    p95Hours: number | null;
    oldestOpenAt: Date | null;
  };
}

/** How long customers wait for their money. Absent while nobody has asked for any. */
export function WithdrawalFacts({ figures }: WithdrawalFactsProps) {
  const { medianHours, p95Hours, oldestOpenAt } = figures;
  if (medianHours === null && !oldestOpenAt) return null;
  return (
    <section className={styles.strip} aria-label="Withdrawals here">
      <dl className={styles.facts}>
        {medianHours !== null ? (
          <Fact label="Half were sent within">{`${medianHours} hours`}</Fact>
        ) : null}
        {p95Hours !== null ? (
          <Fact label="19 of 20 were sent within">{`${p95Hours} hours`}</Fact>
        ) : null}
        <Fact label="Oldest open withdrawal">
          {oldestOpenAt ? `of ${dayInWords(utcDay(oldestOpenAt))}` : "none"}
        </Fact>
      </dl>
      <p className={styles.evidence}>
        From the request to the transaction, of the last 90 days; by UTC days.
      </p>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
