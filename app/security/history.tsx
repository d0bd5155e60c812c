import { Link } from "react-router";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { Pagination } from "#app/ui/tables/pagination.tsx";
import { appContext } from "#server/app-context.ts";
import { listAccountHistory } from "#server/identity/account/list-account-history.ts";
import { sessionContext } from "#server/identity/step-up/fresh-mfa.ts";
import { withAddressCountry } from "#server/platform/address-country.ts";
import type { Route } from "./+types/history";
import { HistoryList } from "./history-list.tsx";
import { securityRoot } from "./security-root.ts";

export const meta = titled("History of the account");

const show = 25;

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, ipCountry } = context.get(appContext);
  const { id } = context.get(sessionContext);
  const wanted = Number(url.searchParams.get("page") ?? 1);
  const page = Number.isInteger(wanted) && wanted >= 1 && wanted <= 100_000 ? wanted : 1;
  const history = await listAccountHistory(db, id, { page, show });
  const entries = history.entries.map(withAddressCountry(ipCountry));
  return { root: securityRoot(context), page, ...history, entries };
}

export default function History({ loaderData }: Route.ComponentProps) {
  const { root, page, entries, total } = loaderData;
  return (
    <>
      <PageHeader
        title="What was done to your account"
        description={
          <>
            By you, by our staff and by the system, newest first. We never remove anything from this
            list. <Link to={root}>Back to security</Link>
          </>
        }
      />
      <Panel flush>
        <HistoryList entries={entries} />
      </Panel>
      <Pagination page={page} show={show} total={total} />
    </>
  );
}
