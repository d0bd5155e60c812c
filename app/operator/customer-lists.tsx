import { Link } from "react-router";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { When } from "#app/ui/when.tsx";
import type { AuditRow } from "#server/console/audit/queries.ts";
import type { Deposit } from "#server/deposits/queries.ts";
import type { ListedMail } from "#server/platform/mail/queries.ts";
import { ActDetail, Subject } from "./act-row.tsx";
import styles from "./customer-lists.module.css";
import { DepositList } from "./deposit-lists.tsx";
import { MayLink } from "./may-link.tsx";
import { useMay } from "./use-may.ts";

/** A customer's last deposits. */
export function CustomerDeposits({ deposits, total }: { deposits: Deposit[]; total: number }) {
  const shown = deposits.length < total ? `The last ${deposits.length} of ${total}` : `${total}`;
  return (
    <Panel title="Deposits" aside={<span className={styles.second}>{shown}</span>} flush>
      {total === 0 ? (
        <p className={styles.none}>No deposits yet.</p>
      ) : (
        <DepositList deposits={deposits} />
      )}
    </Panel>
  );
}

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

/** The last mails to this customer. */
export function CustomerMails({ mails, email }: { mails: ListedMail[]; email: string }) {
  const may = useMay();
  return (
    <Panel
      title="Mail"
      aside={
        may("mail/list") ? (
          <Link to={`/operator/mail?q=${encodeURIComponent(email)}`}>All of it</Link>
        ) : null
      }
      flush
    >
      {mails.length === 0 ? <p className={styles.none}>No mail yet.</p> : null}
      <ul className={styles.list}>
        {mails.map((mail) => (
          <li key={mail.id} className={styles.entry}>
            <div className={styles.line}>
              <MayLink needs="mail/list" to={`/operator/mail/${mail.id}`}>
                {mail.subject}
              </MayLink>
              <StatusBadge status={mail.state} />
            </div>
            <div className={styles.second}>
              <When at={mail.createdAt} />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
