import type { ReactNode } from "react";
import styles from "./facts.module.css";

export interface Fact {
  label: string;
  value: ReactNode;
}

/** What is known of one thing, as rows of label and value. Rows without a value are left out. */
export function Facts({ facts }: { facts: (Fact | null | false)[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) =>
        fact ? (
          <div key={fact.label} className={styles.row}>
            <dt className={styles.label}>{fact.label}</dt>
            <dd className={styles.value}>{fact.value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
