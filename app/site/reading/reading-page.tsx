import type { ReactNode } from "react";
import styles from "./reading.module.css";

interface ReadingPageProps {
  title: string;
  lead: ReactNode;
  /** The sections, by their ids, for the list at the top. */
  contents: readonly (readonly [id: string, title: string])[];
  children: ReactNode;
}

/** A page to be read: its title, a first sentence, what is on it, and sections in a sound measure. */
export function ReadingPage({ title, lead, contents, children }: ReadingPageProps) {
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        <nav aria-label="On this page">
          <ul className={styles.contents}>
            {contents.map(([id, name]) => (
              <li key={id}>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      {children}
    </article>
  );
}

/** A section that can be linked to. Its words keep the measure; tables may be wider. */
export function Section({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className={styles.matter}>{children}</div>
    </section>
  );
}

/** A drawing with the sentence that it shows; the drawing itself says nothing to a screen reader. */
export function Figure({ children, caption }: { children: ReactNode; caption: ReactNode }) {
  return (
    <figure className={styles.figure}>
      <div className={styles.drawn}>{children}</div>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

/** Where a statement about the world comes from. */
export function Source({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} rel="noreferrer" className={styles.source}>
      {children}
    </a>
  );
}
