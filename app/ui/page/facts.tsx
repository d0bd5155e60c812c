import type { ReactNode } from "react";
import type { GlossaryTerm } from "#core/text/glossary.ts";
import { Term } from "../figures/term.tsx";
import { When } from "../figures/when.tsx";
import styles from "./facts.module.css";

export interface Fact {
  label: string;
  /** The word of the trade that the label is, or holds: it is explained. */
  term?: GlossaryTerm;
  /** A moment is shown as `When`. */
  value?: ReactNode | Date;
  /** In place of a value: what is compared letter by letter, such as a transaction id. */
  code?: string | null;
}

/** What is known of one thing, as rows of label and value. Rows without a value are left out. */
export function Facts({ facts }: { facts: (Fact | null | false)[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) => {
        const value = fact && shown(fact);
        if (!fact || value === null || value === undefined || value === false) return null;
        return (
          <div key={fact.label} className={styles.row}>
            <dt className={styles.label}>
              {fact.term ? <Term of={fact.term}>{fact.label}</Term> : fact.label}
            </dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function shown({ value, code }: Fact): ReactNode {
  if (code) return <code className={styles.code}>{code}</code>;
  return value instanceof Date ? <When at={value} /> : value;
}
