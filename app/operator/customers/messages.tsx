import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { listThreadsAbout } from "#server/contact/list-threads.ts";
import list from "../parts/console-list.module.css";
import { guard } from "../parts/route.ts";
import type { Route } from "./+types/messages";
import lists from "./customer-lists.module.css";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";

export const middleware = guard("contact/read");
export const meta = titled("Messages of a customer");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { frame, db } = await readSection(context, params.customerId);
  const { id: customerId, email } = frame.customer;
  return { frame, threads: await listThreadsAbout(db, { customerId, email, limit: 100 }) };
}

export default function CustomerMessages({ loaderData: { frame, threads } }: Route.ComponentProps) {
  return (
    <CustomerFrame frame={frame}>
      <Panel title="Messages" flush>
        {threads.length === 0 ? (
          <p className={list.empty}>Nothing was written from this account or this address.</p>
        ) : null}
        <ul className={layout.plain}>
          {threads.map((thread) => (
            <li key={thread.threadId} className={lists.entry}>
              <div className={lists.line}>
                <Link to={`/operator/messages/${thread.threadId}`}>{thread.subject}</Link>
                <StatusBadge status={thread.state === "open" ? "waiting" : thread.state} />
              </div>
              <div className={layout.quiet}>
                {thread.reference}, <When at={thread.lastAt} />,{" "}
                {thread.wasSignedIn
                  ? "written while signed in"
                  : "by this address only, which proves no identity"}
              </div>
            </li>
          ))}
        </ul>
      </Panel>
    </CustomerFrame>
  );
}
