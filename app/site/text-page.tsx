import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./text-page.module.css";

/** A page of words: its title, a first sentence, and sections. */
export function TextPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  return (
    <article className={styles.page}>
      <Title order={1} className={styles.title}>
        {title}
      </Title>
      {lead ? <p className={styles.lead}>{lead}</p> : null}
      <div className={styles.body}>{children}</div>
    </article>
  );
}
