import { Link } from "react-router";
import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
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
      {acts.length === 0 ? (
        <p className={layout.nothing}>Staff have done nothing here yet.</p>
      ) : null}
      <ul className={layout.plain}>
        {acts.map((act) => (
          <li key={act.id} className={styles.entry}>
            <code className={styles.act}>{act.act}</code>
            <div className={layout.quiet}>
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
