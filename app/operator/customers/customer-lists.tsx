import { Link } from "react-router";
import { When } from "#app/ui/figures/when.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { AuditRow } from "#server/console/audit/list-audit-log.ts";
import { useMay } from "../parts/use-may.ts";
import { ActDetail, Subject } from "../system/act-row.tsx";
import styles from "./customer-lists.module.css";

/** What staff did that touched this customer. */
export function CustomerActs({ acts, customerId }: { acts: AuditRow[]; customerId: string }) {
  const may = useMay();
  return (
    <Panel
      title="Acts of staff"
      aside={
        may("audit/read") ? (
          <Link to={`/operator/audit?customer=${customerId}`}>In the audit log</Link>
        ) : null
      }
      flush
    >
      {acts.length === 0 ? <p className={styles.none}>Staff have done nothing here yet.</p> : null}
      <ul className={styles.list}>
        {acts.map((act) => (
          <li key={act.id} className={styles.entry}>
            <code className={styles.act}>{act.act}</code>
            <div className={styles.second}>
              {act.operator?.name ?? "On the server"}, <Subject subject={act.subject} />,{" "}
              <When at={act.occurredAt} />
            </div>
            <ActDetail detail={act.detail} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
