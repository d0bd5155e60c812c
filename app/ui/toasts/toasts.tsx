import { type CSSProperties, type ReactNode, useState, useSyncExternalStore } from "react";
import { delays } from "#core/terms.ts";
import { Notice } from "../page/notice.tsx";
import type { Flash } from "./flash.ts";
import { forgetNotified, listNotified, subscribeToNotified } from "./notify.ts";
import styles from "./toasts.module.css";

/** What the page before asked to say: at the top right, gone after as long as a toast stays, by style alone. */
export function FlashToasts({ flashes }: { flashes: Flash[] }) {
  const [shown, setShown] = useState({ flashes, round: 0 });
  // Said again, the same words come again.
  if (shown.flashes !== flashes) setShown({ flashes, round: shown.round + 1 });
  if (flashes.length === 0) return null;
  return (
    <div role="status" data-flashes="">
      <Toasts key={shown.round} stayMs={delays.toastMs}>
        {flashes.map(({ text, tone }) => (
          <Notice key={text} tone={tone}>
            {text}
          </Notice>
        ))}
      </Toasts>
    </div>
  );
}

/** What scripts of this page have said: notify.ts. */
export function NotifiedToasts() {
  const notified = useSyncExternalStore(subscribeToNotified, listNotified, listNotified);
  return (
    <div role="status">
      {notified.length > 0 ? (
        <Toasts stayMs={delays.toastMs}>
          {notified.map(({ id, text, tone }) => (
            <div key={id} onAnimationEnd={() => forgetNotified(id)}>
              <Notice tone={tone}>{text}</Notice>
            </div>
          ))}
        </Toasts>
      ) : null}
    </div>
  );
}

/** Where they are, and for how long. */
export function Toasts({ stayMs, children }: { stayMs: number; children?: ReactNode }) {
  return (
    <div className={styles.toasts} style={{ "--toast-stays": `${stayMs}ms` } as CSSProperties}>
      {children}
    </div>
  );
}
