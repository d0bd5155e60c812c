import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./site-page.module.css";

interface PageHeadProps {
  title: string;
  /** A first sentence. */
  lead?: ReactNode;
}

interface SitePageProps extends PageHeadProps {
  /** Narrow for words alone; middle for what stands in rows. */
  width: "narrow" | "middle";
  children: ReactNode;
}

/** A page of the public site in one column: its head, and what it holds. */
export function SitePage({ width, children, ...head }: SitePageProps) {
  return (
    <article className={`${styles.page} ${styles[width]}`}>
      <PageHead {...head} />
      {children}
    </article>
  );
}

/** The title of a page and its first sentence, for a page that is laid out in its own way. */
export function PageHead({ title, lead }: PageHeadProps) {
  return (
    <>
      <Title order={1} className={styles.title}>
        {title}
      </Title>
      {lead ? <p className={styles.lead}>{lead}</p> : null}
    </>
  );
}
