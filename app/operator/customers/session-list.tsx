import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import type { SecurityFacts } from "#server/identity/account/get-security-facts.ts";
import list from "../parts/console-list.module.css";
import lists from "./customer-lists.module.css";

/** Where a customer is signed in. Staff see the same as he does, and can end it only by freezing the account. */
export function SessionList({
  sessions,
}: {
  sessions: Array<SecurityFacts["sessions"][number] & { location: string | null }>;
}) {
  return (
    <Panel title="Signed in" flush>
      {sessions.length === 0 ? <p className={list.empty}>In no browser.</p> : null}
      <ul className={layout.plain}>
        {sessions.map(({ id, browser, location, createdAt, lastUsedAt }) => (
          <li key={id} className={lists.entry}>
            {browser}
            <div className={layout.quiet}>
              From {location ?? "an unknown address"}, since <When at={createdAt} />, last used{" "}
              <When at={lastUsedAt} />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
