import { Flag } from "#app/ui/icons.tsx";
import { type FlagKind, flagWords } from "#core/people/customer-flags.ts";
import styles from "./row-flags.module.css";

/** What colleagues asked to mind about the customer of a row; the reasons stand on the page that the row opens. */
export function RowFlags({ kinds = [] }: { kinds: FlagKind[] | undefined }) {
  if (kinds.length === 0) return null;
  return (
    <ul className={styles.flags} aria-label="Flags about this customer">
      {kinds.map((kind) => (
        <li key={kind}>
          <Flag size={13} strokeWidth={2.25} aria-hidden="true" />
          {flagWords[kind]}
        </li>
      ))}
    </ul>
  );
}
