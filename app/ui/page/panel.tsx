import { type ReactNode, useId } from "react";
import styles from "./panel.module.css";

interface PanelProps {
  title?: ReactNode;
  /** At the end of the head. */
  aside?: ReactNode;
  /** No padding: for tables and lists that reach the border. */
  flush?: boolean;
  children: ReactNode;
}

/** A card with a hairline border. With a title it is a section of the page, its title an h2. */
export function Panel({ title, aside, flush = false, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className={styles.panel} aria-labelledby={title ? titleId : undefined}>
      {title ? (
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {aside}
        </div>
      ) : null}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
