import { Link } from "react-router";
import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { byInWords, eventInWords, proofInWords } from "./event-words.ts";
import styles from "./security.module.css";

interface Entry {
  id: string;
  what: string;
  by: keyof typeof byInWords;
  detail: Record<string, unknown>;
  browser: string | null;
  location: string | null;
  occurredAt: Date;
}

/** The newest of the history, with the way to all of it. */
export function HistoryPanel({
  root,
  history,
}: {
  root: string;
  history: { entries: Entry[]; total: number };
}) {
  const { entries, total } = history;
  return (
    <Panel
      title="What was done to your account"
      aside={total > entries.length ? <Link to={`${root}/history`}>All {total}</Link> : null}
      flush
    >
      <HistoryList entries={entries} />
    </Panel>
  );
}

export function HistoryList({ entries }: { entries: Entry[] }) {
  if (entries.length === 0) {
    return <p className={`${styles.entry} ${styles.second}`}>Nothing yet.</p>;
  }
  return (
    <ul className={layout.plain}>
      {entries.map((entry) => (
        <li key={entry.id} className={styles.entry}>
          <div className={styles.words}>
            <div className={styles.name}>
              {eventInWords(entry.what)}
              {typeof entry.detail["name"] === "string" ? `: ${entry.detail["name"]}` : ""}
            </div>
            <div className={styles.second}>{[...said(entry)].join(", ")}</div>
            {typeof entry.detail["reason"] === "string" ? (
              <div className={styles.second}>Why: {entry.detail["reason"]}</div>
            ) : null}
          </div>
          <div className={styles.second}>
            <When at={entry.occurredAt} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function* said({ by, detail, browser, location }: Entry) {
  yield byInWords[by];
  const proof = proofInWords[String(detail["by"])];
  if (proof) yield proof;
  if (browser) yield browser;
  if (location) yield `from ${location}`;
}
