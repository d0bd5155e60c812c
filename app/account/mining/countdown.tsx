import { useEffect, useState } from "react";
import styles from "./mining.module.css";

interface CountdownProps {
  /** By the server's clock, both. */
  expiresAt: Date;
  now: Date;
  onEnd: () => void;
}

/** How long a price still stands, counted from the moment the page was made, whatever the reader's clock says. */
export function Countdown({ expiresAt, now, onEnd }: CountdownProps) {
  const [leftMs, setLeftMs] = useState(expiresAt.getTime() - now.getTime());
  useEffect(() => {
    const total = expiresAt.getTime() - now.getTime();
    const opened = performance.now();
    const timer = setInterval(() => {
      const left = total - (performance.now() - opened);
      setLeftMs(left);
      if (left <= 0) {
        clearInterval(timer);
        onEnd();
      }
    }, 250);
    return () => clearInterval(timer);
  }, [expiresAt, now, onEnd]);
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const part = Math.max(0, Math.min(1, leftMs / 30_000));
  return (
    <div className={styles.countdown}>
      <div className={styles.bar} aria-hidden="true">
        <span style={{ transform: `scaleX(${part})` }} />
      </div>
      <p role="timer">
        {seconds > 0 ? (
          <>
            This price stands for{" "}
            <strong className={styles.seconds} suppressHydrationWarning>
              {seconds}
            </strong>{" "}
            more {seconds === 1 ? "second" : "seconds"}
          </>
        ) : (
          <>This price has expired</>
        )}
      </p>
    </div>
  );
}
