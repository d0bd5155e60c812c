import { Link } from "react-router";
import { VisuallyHidden } from "../page/visually-hidden.tsx";
import styles from "./hallmark.module.css";

type HallmarkProps =
  | {
      /** Where the figure's evidence is. */ to: string /** What is found there. */;
      label: string;
      reason?: never;
    }
  | { to?: never; label?: never /** Why the figure cannot be traced. */; reason: string };

/**
 * The small stamp next to a figure. It opens the figure's evidence; with `reason` in place of `to` it is
 * broken, and says why there is none.
 */
export function Hallmark(props: HallmarkProps) {
  if (props.reason !== undefined) return <BrokenHallmark reason={props.reason} />;
  return (
    <Link to={props.to} className={styles.mark} aria-label={props.label} data-hint={props.label} />
  );
}

function BrokenHallmark({ reason }: { reason: string }) {
  return (
    <span className={`${styles.mark} ${styles.broken}`} data-hint={reason}>
      <VisuallyHidden>No evidence: {reason}</VisuallyHidden>
    </span>
  );
}
