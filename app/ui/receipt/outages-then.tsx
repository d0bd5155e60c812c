import { When } from "#app/ui/figures/when.tsx";
import styles from "./receipt.module.css";

export interface OutageThenShown {
  siteName: string;
  reason: string;
  notedAt: Date | null;
  since:
    | null
    | { what: "ended"; at: Date; endedAt: Date }
    | { what: "withdrawn"; at: Date; why: string }
    | {
        what: "corrected";
        at: Date;
        why: string;
        siteName: string;
        startedAt: Date;
        endedAt: Date | null;
        reason: string;
      };
}

/** What was down, as it was known when the day was posted or noted first, and what was corrected afterwards. */
export function OutagesThen({ outages }: { outages: readonly OutageThenShown[] }) {
  return outages.map(({ siteName, reason, notedAt, since }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same, and none moves
    <div key={index}>
      {siteName}: {reason}
      {notedAt ? (
        <div className={styles.quiet}>
          Recorded <When at={notedAt} />, after this day was posted.
        </div>
      ) : null}
      {since ? (
        <div className={styles.quiet}>
          <Since {...since} />
        </div>
      ) : null}
    </div>
  ));
}

function Since(since: NonNullable<OutageThenShown["since"]>) {
  switch (since.what) {
    case "ended":
      return (
        <>
          Recorded <When at={since.at} />, after this day was posted: it ran again before this day,
          since <When at={since.endedAt} />.
        </>
      );
    case "withdrawn":
      return (
        <>
          Withdrawn <When at={since.at} />: there was no such outage.
          <div>Why: {since.why}</div>
        </>
      );
    case "corrected":
      return (
        <>
          Corrected <When at={since.at} />. The record now says: {since.siteName},{" "}
          {since.endedAt ? "from" : "since"} <When at={since.startedAt} />
          {since.endedAt ? (
            <>
              {" "}
              until <When at={since.endedAt} />
            </>
          ) : null}
          : {since.reason}
          <div>Why: {since.why}</div>
        </>
      );
  }
}
