import { delays } from "#core/terms.ts";
import type { Flash } from "./flash.ts";
import { Notice } from "./notice.tsx";
import styles from "./plain-toasts.module.css";

/**
 * What the page before asked to say, on a page that React does not take over: at the top right, gone after
 * as long as a toast stays, by style alone.
 */
export function PlainToasts({ flashes }: { flashes: Flash[] }) {
  if (flashes.length === 0) return null;
  return (
    <div
      className={styles.toasts}
      role="status"
      style={{ "--toast-stays": `${delays.toastMs}ms` } as React.CSSProperties}
    >
      {flashes.map(({ text, tone }) => (
        <Notice key={text} tone={tone}>
          {text}
        </Notice>
      ))}
    </div>
  );
}
