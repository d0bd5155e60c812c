import { useEffect, useState } from "react";
import { formatAge, formatLocal, formatUtc } from "./format-time.ts";
import { Hint } from "./hint.tsx";
import { useHydrated } from "./use-hydrated.ts";
import styles from "./when.module.css";

interface WhenProps {
  at: Date | string;
  /** No hint: for times inside a link or a button. */
  plain?: boolean;
}

/** A moment where the reader is; UTC on hover, focus or tap. Without JavaScript it is UTC and says so. */
export function When({ at, plain = false }: WhenProps) {
  const hydrated = useHydrated();
  const utc = formatUtc(at);
  const time = (
    <time className={styles.when} dateTime={new Date(at).toISOString()}>
      {hydrated ? (
        <>
          <span className={styles.hold} aria-hidden="true">
            {utc}
          </span>
          <span>{formatLocal(at)}</span>
        </>
      ) : (
        <span>{utc}</span>
      )}
    </time>
  );
  if (plain) return time;
  return (
    <Hint label={utc}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: UTC must be reachable by keyboard */}
      <span className={styles.when} tabIndex={0}>
        {time}
      </span>
    </Hint>
  );
}

interface AgeProps {
  at: Date | string;
  /** The server's clock when it answered, so that both sides first say the same. */
  now: Date | string;
}

/** How long ago something happened, ticking, in a width that does not change. */
export function Age({ at, now }: AgeProps) {
  const [clock, setClock] = useState<Date | string>(now);
  useEffect(() => {
    const tick = () => setClock(new Date());
    const young = Date.now() - new Date(at).getTime() < 120_000;
    const timer = setInterval(tick, young ? 1000 : 30_000);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <Hint label={formatUtc(at)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: UTC must be reachable by keyboard */}
      <time className={styles.age} dateTime={new Date(at).toISOString()} tabIndex={0}>
        {formatAge(at, clock)}
      </time>
    </Hint>
  );
}
