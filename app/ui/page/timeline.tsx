import type { ReactNode } from "react";
import { When } from "../figures/when.tsx";
import styles from "./timeline.module.css";

export interface TimelineEvent {
  title: ReactNode;
  /** Absent for what is still to come. */
  at?: Date | string | null;
  tone?: "good" | "waiting" | "bad" | "plain";
  body?: ReactNode;
}

/** What happened to one thing, in order, with what is still to come at the end. */
export function Timeline({ events }: { events: TimelineEvent[] }) {
  return (
    <ol className={styles.timeline}>
      {events.map((event, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever appended
        <li key={index} className={`${styles.event} ${styles[event.tone ?? "plain"] ?? ""}`}>
          <div className={styles.title}>{event.title}</div>
          {event.at ? (
            <div className={styles.when}>
              <When at={event.at} beside />
            </div>
          ) : null}
          {event.body ? <div className={styles.body}>{event.body}</div> : null}
        </li>
      ))}
    </ol>
  );
}
