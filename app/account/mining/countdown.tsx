import { useEffect, useState } from "react";
import { terms } from "#core/terms.ts";
import styles from "./mining.module.css";

interface CountdownProps {
  /** By the server's clock, both. */
  expiresAt: Date;
  now: Date;
  /** Once, when so few seconds are left that a reader should hear of it. */
  onLow: () => void;
  onEnd: () => void;
}

/** With so many seconds left a screen reader says so. */
export const lowSeconds = 10;

/** How long a price is still held, counted from the moment the page was made, whatever the reader's clock says. */
export function Countdown({ expiresAt, now, onLow, onEnd }: CountdownProps) {
  const total = expiresAt.getTime() - now.getTime();
  const [leftMs, setLeftMs] = useState(total);
  useEffect(() => {
    const opened = performance.now();
    let isLow = false;
    const timer = setInterval(() => {
      const left = total - (performance.now() - opened);
      setLeftMs(left);
      if (!isLow && left <= lowSeconds * 1000 && left > 0) {
        isLow = true;
        onLow();
      }
      if (left <= 0) {
        clearInterval(timer);
        onEnd();
      }
    }, 250);
    return () => clearInterval(timer);
  }, [total, onLow, onEnd]);
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const part = Math.max(0, Math.min(1, leftMs / (terms.quoteSeconds * 1000)));
  return (
    <div className={styles.countdown}>
      <p role="timer">
        {seconds > 0 ? (
          <>
            Held for{" "}
            <strong className={styles.seconds} suppressHydrationWarning>
              {seconds}
            </strong>{" "}
            s
          </>
        ) : (
          "Price expired"
        )}
      </p>
      <div className={styles.bar} aria-hidden="true">
        <span style={{ transform: `scaleX(${part})` }} />
      </div>
    </div>
  );
}
