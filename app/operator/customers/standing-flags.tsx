import { Link } from "react-router";
import { When } from "#app/ui/figures/when.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { flagWords } from "#core/people/customer-flags.ts";
import type { StandingFlag } from "#server/staff-notes/list-flags.ts";
import { useMay } from "../parts/use-may.ts";
import styles from "./frame.module.css";

interface StandingFlagsProps {
  flags: StandingFlag[];
  customerId: string | null;
}

/** What colleagues asked to mind about a customer: stands wherever somebody decides about him. */
export function StandingFlags({ flags, customerId }: StandingFlagsProps) {
  const may = useMay();
  if (flags.length === 0 || !may("staff-notes/read")) return null;
  return (
    <section className={styles.flags} aria-label="Flags about this customer">
      {flags.map((flag) => (
        <Notice key={flag.id} tone="warning" title={flagWords[flag.kind]}>
          <p className={styles.flag}>{flag.reason}</p>
          <p className={styles.flagBy}>
            <span>
              {flag.raisedByName}, until <When at={flag.endsAt} />
            </span>
            <Link to={`/operator/customers/${customerId}/notes`}>Notes and flags</Link>
          </p>
        </Notice>
      ))}
    </section>
  );
}
