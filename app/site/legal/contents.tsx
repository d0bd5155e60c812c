import type { LegalSection } from "#core/legal/legal-document.ts";
import styles from "./contents.module.css";

/** The sections of a text, each a link to its place. */
export function Contents({ of: sections }: { of: Pick<LegalSection, "id" | "title">[] }) {
  if (sections.length === 0) return null;
  return (
    <nav className={styles.contents} aria-label="Sections">
      <details className={styles.fold}>
        <summary>Sections</summary>
        <List of={sections} />
      </details>
      <div className={styles.column}>
        <div className={styles.title}>Sections</div>
        <List of={sections} />
      </div>
    </nav>
  );
}

function List({ of: sections }: { of: Pick<LegalSection, "id" | "title">[] }) {
  return (
    <ol className={styles.list}>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ol>
  );
}
