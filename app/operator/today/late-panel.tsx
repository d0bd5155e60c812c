import { Link } from "react-router";
import { Age } from "#app/ui/figures/when.tsx";
import { CircleCheck, TriangleAlert } from "#app/ui/icons.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { sayLate, subjectOfLate } from "#core/late.ts";
import type { Heartbeat, Late } from "#server/console/today/list-late.ts";
import styles from "./today.module.css";

interface LatePanelProps {
  late: Late[];
  heartbeats: Heartbeat[];
  now: Date;
}

/** What should have happened by now, and when everything that is asked again and again was asked last. */
export function LatePanel({ late, heartbeats, now }: LatePanelProps) {
  return (
    <Panel title="Late" flush>
      {late.length === 0 ? (
        <p className={styles.none}>
          <CircleCheck className={styles.good} size={16} aria-hidden="true" /> Nothing is late.
        </p>
      ) : (
        <ul className={layout.plain}>
          {late.map((each) => (
            <li key={subjectOfLate(each)} className={styles.line}>
              <TriangleAlert className={styles.alert} size={16} aria-hidden="true" />
              <Link to={each.to} className={`${styles.link} ${styles.lineLink}`} data-row>
                {sayLate(each)}
              </Link>
              {each.since ? (
                <span className={styles.since}>
                  <Age at={each.since} now={now} />
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {heartbeats.length > 0 ? (
        <p className={styles.beats}>
          {heartbeats.map(({ name, at }) => (
            <span key={name} className={styles.beat}>
              {beatWords[name]} <Age at={at} now={now} />
            </span>
          ))}
        </p>
      ) : null}
    </Panel>
  );
}

const beatWords: Record<Heartbeat["name"], string> = {
  worker: "Worker seen",
  bitcoin: "Bitcoin asked",
  ethereum: "Ethereum asked",
  exchanges: "Exchanges asked",
  pools: "Pools asked",
};
