import type { ReactNode } from "react";
import { Link } from "react-router";
import { type GlossaryTerm, glossary } from "#core/text/glossary.ts";
import styles from "./term.module.css";

/** A word of the trade: explained at the pointer or focus (hints.ts), and by the glossary where it leads. */
export function Term({ of: name, children }: { of: GlossaryTerm; children?: ReactNode }) {
  const { term, hint } = glossary[name];
  return (
    <Link to={`/glossary#${name}`} className={styles.term} data-hint={hint} reloadDocument>
      {children ?? term}
    </Link>
  );
}
