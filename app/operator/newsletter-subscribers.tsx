import { Link } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { When } from "#app/ui/when.tsx";
import { appContext } from "#server/app-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { type ListedSubscription, listSubscriptions } from "#server/newsletter/queries.ts";
import type { Route } from "./+types/newsletter-subscribers";
import { ConsoleError } from "./console-error.tsx";
import styles from "./console-list.module.css";
import { searchText } from "./search-text.ts";
import tabs from "./tabs.module.css";

const pageSize = 50;
const states = ["confirmed", "pending", "ended"] as const;
type State = (typeof states)[number];

export const middleware: Route.MiddlewareFunction[] = [requirePermission("newsletter/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Subscribers");
export const handle = { keys: [{ key: "/", does: "search" }] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const params = new URL(request.url).searchParams;
  const state = states.find((known) => known === params.get("state")) ?? "confirmed";
  const search = searchText(params, "q");
  const subscriptions = await listSubscriptions(db, {
    state,
    ...(search && { search }),
    after: params.get("after") ?? undefined,
    limit: pageSize + 1,
  });
  const shown = subscriptions.slice(0, pageSize);
  return {
    state,
    search,
    subscriptions: shown,
    after: subscriptions.length > pageSize ? (shown.at(-1)?.subscriptionId ?? null) : null,
  };
}

export default function SubscribersPage({ loaderData }: Route.ComponentProps) {
  const { state, search, subscriptions, after } = loaderData;
  return (
    <>
      <PageHeader
        title="Subscribers"
        description={<Link to="/operator/newsletter">All issues</Link>}
      />
      <nav className={tabs.tabs} aria-label="Subscribers by state">
        {tabNames.map(([value, name]) => (
          <Link
            key={value}
            to={`/operator/newsletter/subscribers?state=${value}`}
            className={tabs.tab}
            aria-current={value === state ? "page" : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <FilterForm
        label="Search subscribers"
        action="Search"
        aside={<a href="/operator/newsletter.csv">Download the confirmed as CSV</a>}
      >
        <input type="hidden" name="state" value={state} />
        <TextField
          key={`${state}-${search}`}
          type="search"
          name="q"
          label="Part of the e-mail"
          defaultValue={search}
          data-key="/"
        />
      </FilterForm>
      {subscriptions.length === 0 ? (
        <EmptyState drawing="journal">
          {search ? `No address here matches “${search}”.` : nobody[state]}
        </EmptyState>
      ) : (
        <Subscriptions subscriptions={subscriptions} state={state} />
      )}
      <OlderNewer after={after}>{subscriptions.length === 0 ? null : "Newest first"}</OlderNewer>
    </>
  );
}

const tabNames: [State, string][] = [
  ["confirmed", "Confirmed"],
  ["pending", "Not confirmed"],
  ["ended", "Left"],
];

const nobody: Record<State, string> = {
  confirmed: "No confirmed subscription yet. Visitors ask for it in the footer.",
  pending: "No subscription is waiting to be confirmed.",
  ended: "No one has left.",
};

function Subscriptions({
  subscriptions,
  state,
}: {
  subscriptions: ListedSubscription[];
  state: State;
}) {
  return (
    <DataTable
      label="Subscribers"
      rows={subscriptions}
      rowKey={(each) => each.subscriptionId}
      columns={[
        { head: "E-mail", cell: (each) => each.email ?? <em>deleted by rule</em> },
        { head: "Asked", cell: (each) => <When at={each.askedAt} /> },
        { head: "On the page", cell: (each) => each.source },
        {
          head: "Version of the consent",
          className: styles.number,
          cell: (each) => each.textVersion,
        },
        {
          head: "Confirmed",
          cell: (each) => (each.confirmedAt ? <When at={each.confirmedAt} /> : "–"),
        },
        state === "ended"
          ? {
              head: "Left",
              cell: (each) => (
                <>
                  {each.endedAt ? <When at={each.endedAt} /> : null}
                  <div className={styles.second}>
                    {each.endedBy === "page" ? "by the page" : "by one click in the mail program"}
                  </div>
                </>
              ),
            }
          : null,
      ]}
    />
  );
}
