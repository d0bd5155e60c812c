import type { ReactNode } from "react";
import { SitePage } from "./site-page.tsx";
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
    <SitePage width="narrow" title={title} lead={lead}>
      <div className={styles.body}>{children}</div>
    </SitePage>
  );
}
