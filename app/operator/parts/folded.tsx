import type { ReactNode } from "react";
import styles from "./folded.module.css";

interface FoldedProps {
  title: string;
  /** `card`: a part of a page by itself; `grave`: it ends something. */
  look?: "plain" | "card" | "grave";
  open?: boolean;
  /** One form. */
  children: ReactNode;
}

/** A form that is folded away until it is wanted, and open while it has something to say. */
export function Folded({ title, look = "plain", open = false, children }: FoldedProps) {
  const looks = { plain: styles.plain, card: styles.card, grave: `${styles.card} ${styles.brick}` };
  return (
    <details className={looks[look]} open={open}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
