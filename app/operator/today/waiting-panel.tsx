import { Link } from "react-router";
import { Age } from "#app/ui/figures/when.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { WaitingLine } from "#server/console/today/list-waiting.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import styles from "./today.module.css";

/** What waits for a person: each line leads to the list that has exactly these. */
export function WaitingPanel({ waiting, now }: { waiting: WaitingLine[]; now: Date }) {
  return (
    <Panel title="Waiting" flush>
      {waiting.length === 0 ? (
        <p className={styles.none}>Nothing waits.</p>
      ) : (
        <ConsoleTable
          label="What waits"
          bare
          dense
          rows={waiting}
          rowKey={({ kind }) => kind}
          rowClass={({ isMine }) => (isMine ? `${styles.row} ${styles.mine}` : styles.row)}
          columns={[
            {
              head: "What",
              cell: ({ to, says }) => (
                <Link to={to} className={styles.link} data-row>
                  {says}
                </Link>
              ),
            },
            { head: "Who decides", cellClass: styles.who, cell: (line) => <Who line={line} /> },
            {
              head: "Oldest",
              align: "right",
              cellClass: styles.short,
              cell: ({ oldestAt }) => <Age at={oldestAt} now={now} />,
            },
          ]}
        />
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
