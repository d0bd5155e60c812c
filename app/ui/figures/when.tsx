import { useEffect, useState } from "react";
import type { LocalePreferences } from "#core/people/locale-preferences.ts";
import { useHydrated } from "../browser/use-hydrated.ts";
import { formatAge, formatIn, formatUtc, formatUtcBeside, formatWithZone } from "./format-time.ts";
import { useLocalePreferences } from "./locale-preferences.ts";
import styles from "./when.module.css";

interface WhenProps {
  at: Date | string;
  /** No hint: for times inside a link or a button. */
  plain?: boolean;
  /** UTC is below: for what counts by its UTC day. */
  beside?: boolean;
}

/**
 * A moment in the time zone that its reader chose, or else in that of the device, named by its distance from UTC; UTC on
 * hover, focus or tap. Where neither is known, before JavaScript runs, it is UTC and says so.
 */
export function When({ at, plain = false, beside = false }: WhenProps) {
  const preferences = useLocalePreferences();
  const hydrated = useHydrated();
  const utc = formatUtc(at, preferences.locale);
  const isKnown = preferences.timeZone !== "UTC" && (hydrated || preferences.timeZone !== null);
  // Where the reader's time is UTC's, once is enough.
  const isLocal = isKnown && formatWithZone(at, preferences) !== utc;
  const isBeside = beside && preferences.timeZone !== "UTC" && (isLocal || !hydrated);
  const time = (
    <time
      className={styles.when}
      dateTime={new Date(at).toISOString()}
      data-hint={plain || isBeside ? undefined : utc}
    >
      {isLocal ? (
        <Local utc={utc} preferences={preferences}>
          {beside ? formatIn(at, preferences) : formatWithZone(at, preferences)}
        </Local>
      ) : (
        <span>{utc}</span>
      )}
    </time>
  );
  if (!isBeside) return time;
  return (
    <span className={styles.both}>
      {time}
      <span className={styles.utc} suppressHydrationWarning>
        {isLocal ? formatUtcBeside(at, preferences) : null}
      </span>
    </span>
  );
}

/** Server and browser may know other versions of a language's rules: what the server wrote stands. */
function Local({
  utc,
  preferences,
  children,
}: {
  utc: string;
  preferences: LocalePreferences;
  children: string;
}) {
  return (
    <>
      {preferences.timeZone === null ? (
        <span className={styles.hold} aria-hidden="true">
          {utc}
        </span>
      ) : null}
      <span suppressHydrationWarning>{children}</span>
    </>
  );
}

/** A UTC day, which no line divides. */
export function Day({ day }: { day: string }) {
  return (
    <time className={styles.day} dateTime={day}>
      {day}
    </time>
  );
}

interface AgeProps {
  at: Date | string;
  /** The server's clock when it answered, so that both sides first say the same. */
  now: Date | string;
}

/** How long ago something happened, ticking, in a width that does not change. */
export function Age({ at, now }: AgeProps) {
  const { locale } = useLocalePreferences();
  const [clock, setClock] = useState<Date | string>(now);
  useEffect(() => {
    const answered = new Date(now).getTime();
    const opened = performance.now();
    // Counted from the server's clock, whatever the reader's says.
    const tick = () => setClock(new Date(answered + performance.now() - opened));
    const young = answered - new Date(at).getTime() < 120_000;
    const timer = setInterval(tick, young ? 1000 : 30_000);
    return () => clearInterval(timer);
  }, [at, now]);
  return (
    <time
      className={styles.age}
      dateTime={new Date(at).toISOString()}
      data-hint={formatUtc(at, locale)}
    >
      {formatAge(at, clock)}
    </time>
  );
}
