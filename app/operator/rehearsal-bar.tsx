import { Form, Link } from "react-router";
import { formatUtc } from "#app/ui/figures/format-time.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useMay } from "./parts/use-may.ts";
import styles from "./system/rehearsal.module.css";

export interface RehearsalState {
  now: Date;
  /** The day that the clock is on its way to, in words; null: it is not being moved. */
  goesTo: string | null;
}

/** On every page of the console of a rehearsal, and nowhere else: its clock, and the button that moves it. */
export function RehearsalBar({ rehearsal: { now, goesTo } }: { rehearsal: RehearsalState }) {
  const may = useMay();
  return (
    <aside className={styles.bar} aria-label="Rehearsal">
      <span className={styles.clock}>
        It is <strong>{formatUtc(now)}</strong>
      </span>
      {goesTo ? (
        <Link to="/operator/rehearsal">Going to {goesTo}…</Link>
      ) : (
        <>
          {may("rehearsal/run") ? (
            <Form method="post" action="/operator/rehearsal">
              <SubmitButton name="intent" value="next-day" size="small" pendingText="Next day…">
                Next day
              </SubmitButton>
            </Form>
          ) : null}
          <Link to="/operator/rehearsal">Pay, mine, sign</Link>
        </>
      )}
    </aside>
  );
}
