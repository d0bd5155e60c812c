import type { CSSProperties, ReactNode } from "react";
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
    <div role="status" data-flashes="">
      <Toasts stayMs={delays.toastMs}>
        {flashes.map(({ text, tone }) => (
          <Notice key={text} tone={tone}>
            {text}
          </Notice>
        ))}
      </Toasts>
    </div>
  );
}

/** Where they stand, and for how long. */
export function Toasts({ stayMs, children }: { stayMs: number; children?: ReactNode }) {
  return (
    <div className={styles.toasts} style={{ "--toast-stays": `${stayMs}ms` } as CSSProperties}>
      {children}
    </div>
  );
}
