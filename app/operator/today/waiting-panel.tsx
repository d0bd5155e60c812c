import { Link } from "react-router";
import { Panel } from "#app/ui/panel.tsx";
import { Age } from "#app/ui/when.tsx";
import type { WaitingLine } from "#server/console/today/list-waiting.ts";
import styles from "./today.module.css";

/** What waits for a person: each line leads to the list that has exactly these. */
export function WaitingPanel({ waiting, now }: { waiting: WaitingLine[]; now: Date }) {
  return (
    <Panel title="Waiting" flush>
      {waiting.length === 0 ? (
        <p className={styles.none}>Nothing waits.</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Who decides</th>
              <th scope="col" className={styles.end}>
                Oldest
              </th>
            </tr>
          </thead>
          <tbody>
            {waiting.map((line) => (
              <tr key={line.kind} className={styles.row} data-mine={line.isMine || undefined}>
                <td>
                  <Link to={line.to} className={styles.link} data-row>
                    {line.says}
                  </Link>
                </td>
                <td className={styles.who}>
                  <Who line={line} />
                </td>
                <td className={styles.end}>
                  <Age at={line.oldestAt} now={now} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Who({ line: { isMine, isOwn, others } }: { line: WaitingLine }) {
  if (isMine) {
    return (
      <>
        <strong>You</strong>
        {others.length > 0 ? `, ${named(others)}` : null}
      </>
    );
  }
  const names = named(others);
  if (isOwn && names) return <>{names}, not you</>;
  if (names) return <>{names}</>;
  return <span className={styles.bad}>A second person is missing</span>;
}

/** "Grace Hopper, Alan Turing and 2 others" */
function named(people: string[]): string {
  const more = people.length - 2;
  const first = people.slice(0, 2).join(", ");
  if (more <= 0) return first;
  return `${first} and ${more === 1 ? "1 other" : `${more} others`}`;
}
