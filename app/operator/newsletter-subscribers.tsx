import { TextInput } from "@mantine/core";
import { Link } from "react-router";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { Table } from "#app/ui/table.tsx";
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
        <TextInput
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
  confirmed: "Nobody has confirmed a subscription yet. Visitors ask for it in the footer.",
  pending: "Nobody has yet to confirm.",
  ended: "Nobody has left.",
};

function Subscriptions({
  subscriptions,
  state,
}: {
  subscriptions: ListedSubscription[];
  state: State;
}) {
  return (
    <DataTable label="Subscribers">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>E-mail</Table.Th>
          <Table.Th>Asked</Table.Th>
          <Table.Th>On the page</Table.Th>
          <Table.Th className={styles.number}>Version of the consent</Table.Th>
          <Table.Th>Confirmed</Table.Th>
          {state === "ended" ? <Table.Th>Left</Table.Th> : null}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {subscriptions.map((each) => (
          <Table.Tr key={each.subscriptionId}>
            <Table.Td>{each.email ?? <em>deleted by rule</em>}</Table.Td>
            <Table.Td>
              <When at={each.askedAt} />
            </Table.Td>
            <Table.Td>{each.source}</Table.Td>
            <Table.Td className={styles.number}>{each.textVersion}</Table.Td>
            <Table.Td>{each.confirmedAt ? <When at={each.confirmedAt} /> : "–"}</Table.Td>
            {state === "ended" ? (
              <Table.Td>
                {each.endedAt ? <When at={each.endedAt} /> : null}
                <div className={styles.second}>
                  {each.endedBy === "page" ? "by the page" : "by one click in the mail program"}
                </div>
              </Table.Td>
            ) : null}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
