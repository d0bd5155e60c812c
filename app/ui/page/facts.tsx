import type { ReactNode } from "react";
import type { GlossaryTerm } from "#core/text/glossary.ts";
import { Term } from "../figures/term.tsx";
import styles from "./facts.module.css";

export interface Fact {
  label: string;
  /** The word of the trade that the label is, or holds: it is explained. */
  term?: GlossaryTerm;
  value: ReactNode;
}

/** What is known of one thing, as rows of label and value. Rows without a value are left out. */
export function Facts({ facts }: { facts: (Fact | null | false)[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) =>
        fact ? (
          <div key={fact.label} className={styles.row}>
            <dt className={styles.label}>
              {fact.term ? <Term of={fact.term}>{fact.label}</Term> : fact.label}
            </dt>
            <dd className={styles.value}>{fact.value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
