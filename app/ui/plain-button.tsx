import type { ReactNode } from "react";
import { Link } from "react-router";
import styles from "./plain-button.module.css";

type Look = "filled" | "quiet" | "brick";

interface PlainButtonProps {
  children: string;
  /** What it says while its form is under way. */
  pending?: string;
  /** Whether something turns meanwhile. */
  spinner?: boolean;
  icon?: ReactNode;
  look?: Look;
  type?: "submit" | "button";
  /** For forms with several actions. */
  name?: string;
  value?: string;
}

/** A form's button on pages that React does not take over: app/auth/enhance/button.ts says when it is under way. */
export function PlainButton(props: PlainButtonProps) {
  const { children, pending, spinner, icon, look = "filled", type = "submit", ...rest } = props;
  return (
    <button
      type={type}
      className={`${styles.button} ${styles[look]} ${styles.wide}`}
      data-pending={pending ?? children}
      {...rest}
    >
      {spinner ? <span className={styles.spinner} /> : null}
      {icon}
      <span data-words="">{children}</span>
    </button>
  );
}

/** A link that looks like one: the way to where something is done. */
export function ButtonLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={`${styles.button} ${styles.filled}`}>
      {children}
    </Link>
  );
}
