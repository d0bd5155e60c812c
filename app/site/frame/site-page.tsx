import type { ReactNode } from "react";
import styles from "./site-page.module.css";

interface PageHeadProps {
  title: string;
  /** A first sentence. */
  lead?: ReactNode;
}

interface SitePageProps extends PageHeadProps {
  /** How wide what it holds may be: narrow for words alone, middle for rows; without one, the whole page. */
  width?: "narrow" | "middle";
  children: ReactNode;
}

/** A page of the public site: its head and what it holds, both at the logo's left edge. */
export function SitePage({ width, children, ...head }: SitePageProps) {
  return (
    <article className={styles.page}>
      <PageHead {...head} />
      {width ? <div className={styles[width]}>{children}</div> : children}
    </article>
  );
}

/** The title of a page and its first sentence, for a page that is laid out in its own way. */
export function PageHead({ title, lead }: PageHeadProps) {
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      {lead ? <p className={styles.lead}>{lead}</p> : null}
    </>
  );
}
