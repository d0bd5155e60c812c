import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { OlderNewer } from "#app/ui/tables/pagination.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { listNotices } from "#server/notices/list-notices.ts";
import { listMails } from "#server/platform/mail/list-mails.ts";
import list from "../parts/console-list.module.css";
import { guard } from "../parts/route.ts";
import type { Route } from "./+types/mail";
import lists from "./customer-lists.module.css";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";

const show = 50;

export const middleware = guard("mail/list");
export const meta = titled("Notices and mail to a customer");

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { frame, db, id } = await readSection(context, params.customerId);
  const after = url.searchParams.get("after");
  const mails = await listMails(db, {
    userId: id,
    limit: show + 1,
    ...(isUuid(after) && { before: after }),
  });
  const shown = mails.slice(0, show);
  return {
    frame,
    notices: await listNotices(db, id, { limit: show }),
    mails: shown,
    after: mails.length > show ? (shown.at(-1)?.id ?? null) : null,
  };
}

export default function CustomerMail({
  loaderData: { frame, notices, mails, after },
}: Route.ComponentProps) {
  return (
    <CustomerFrame frame={frame}>
      <div className={layout.stack}>
        <Panel title={`The newest notices in the account, ${show} at most`} flush>
          {notices.length === 0 ? <p className={list.empty}>No notice yet.</p> : null}
          <ul className={layout.plain}>
            {notices.map(({ id, title, body, isRead, createdAt }) => (
              <li key={id} className={lists.entry}>
                <div className={lists.line}>
                  {title}
                  <StatusBadge status={isRead ? "read" : "not read"} tone="plain" />
                </div>
                <div className={layout.quiet}>
                  {body} <When at={createdAt} />
                </div>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="Mail" flush>
          {mails.length === 0 ? <p className={list.empty}>No mail yet.</p> : null}
          <ul className={layout.plain}>
            {mails.map((mail) => (
              <li key={mail.id} className={lists.entry}>
                <div className={lists.line}>
                  <Link to={`/operator/mail/${mail.id}`}>{mail.subject}</Link>
                  <StatusBadge status={mail.state} />
                </div>
                <div className={layout.quiet}>
                  To {mail.recipient}, <When at={mail.createdAt} />
                </div>
              </li>
            ))}
          </ul>
          <div className={list.pager}>
            <OlderNewer after={after} />
          </div>
        </Panel>
      </div>
    </CustomerFrame>
  );
}
