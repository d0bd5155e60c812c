import { Link } from "react-router";
import styles from "./hallmark.module.css";
import { Hint } from "./hint.tsx";
import { markCrack, markLetter, markOutline } from "./mark.ts";
import { VisuallyHidden } from "./visually-hidden.tsx";

type HallmarkProps =
  | {
      /** Where the figure's evidence stands. */ to: string /** What is found there. */;
      label: string;
      reason?: never;
    }
  | { to?: never; label?: never /** Why the figure cannot be traced. */; reason: string };

/**
 * The small stamp beside a figure. It opens the figure's evidence; with `reason` in place of `to` it is
 * broken, and says why there is none.
 */
export function Hallmark(props: HallmarkProps) {
  if (props.reason !== undefined) return <BrokenHallmark reason={props.reason} />;
  return (
    <Hint label={props.label} touch={false}>
      <Link to={props.to} className={styles.mark} aria-label={props.label}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path className={styles.outline} d={markOutline} />
          <path d={markLetter} />
        </svg>
      </Link>
    </Hint>
  );
}

function BrokenHallmark({ reason }: { reason: string }) {
  return (
    <Hint label={reason} long>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
      <span className={`${styles.mark} ${styles.broken}`} tabIndex={0}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path className={styles.outline} d={markOutline} />
          <path d={markCrack} />
        </svg>
        <VisuallyHidden>No evidence: {reason}</VisuallyHidden>
      </span>
    </Hint>
  );
}
