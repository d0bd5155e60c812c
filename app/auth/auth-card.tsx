import type { ReactNode } from "react";
import styles from "./layout.module.css";

/** One of the small pages around signing in: its title, a word, the form, and where else to go. */
export function AuthCard(props: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  links?: ReactNode;
}) {
  const { title, lead, children, links } = props;
  return (
    <>
      <div className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
      {links ? <nav className={styles.links}>{links}</nav> : null}
    </>
  );
}
