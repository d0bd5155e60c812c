import { TextField } from "#app/ui/controls/text-field.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { FilterForm } from "#app/ui/tables/filter-form.tsx";
import {
  type ListedSubscription,
  listSubscriptions,
} from "#server/newsletter/list-subscriptions.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { CsvLink, QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { searchText } from "../parts/search-text.ts";
import { StateTabs } from "../parts/tabs.tsx";
import type { Route } from "./+types/list";

const pageSize = 50;
const states = ["confirmed", "pending", "ended"] as const;
type State = (typeof states)[number];

export const middleware = guard("newsletter/read");
export const meta = titled("Newsletter");
export const handle = { keys: [{ key: "/", does: "search" }] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = consoleOf(context);
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
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Newsletter"
      description="Visitors subscribe in the footer of every public page. Your mail service sends the issues: give it the file."
      actions={
        state === "confirmed" && search === "" ? (
          <CsvLink file="/operator/newsletter.csv" needs="console/export-subscribers" />
        ) : null
      }
      tools={
        <>
          <StateTabs
            label="Subscribers by state"
            page="/operator/newsletter"
            states={tabNames}
            state={state === "confirmed" ? null : state}
          />
          <FilterForm label="Search subscribers" action="Search">
            {state === "confirmed" ? null : <input type="hidden" name="state" value={state} />}
            <TextField
              key={`${state}-${search}`}
              type="search"
              name="q"
              label="Part of the e-mail"
              defaultValue={search}
              data-key="/"
            />
          </FilterForm>
        </>
      }
      empty={
        subscriptions.length === 0 ? (
          <EmptyState drawing="ledger">
            {search ? `No address here matches “${search}”.` : nobody[state]}
          </EmptyState>
        ) : null
      }
      order="Newest first"
      after={after}
    >
      <Subscriptions subscriptions={subscriptions} state={state} whole={whole} />
    </QueuePage>
  );
}

const tabNames: [State | null, string][] = [
  [null, "Confirmed"],
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
  whole,
}: {
  subscriptions: ListedSubscription[];
  state: State;
  whole: boolean;
}) {
  return (
    <ConsoleTable
      label="Subscribers"
      rows={subscriptions}
      whole={whole}
      rowKey={(each) => each.subscriptionId}
      columns={[
        {
          head: "E-mail",
          sort: "email",
          value: "email",
          cell: (each) => each.email ?? <em>deleted by rule</em>,
        },
        { head: "Asked", sort: "-asked", value: "askedAt" },
        { head: "On the page", value: "source" },
        { head: "Version of the consent", kind: "number", value: "textVersion" },
        { head: "Confirmed", value: "confirmedAt" },
        state === "ended"
          ? {
              head: "Left",
              value: "endedAt",
              second: (each) =>
                each.endedBy === "page" ? "by the page" : "by one click in the mail program",
            }
          : null,
      ]}
    />
  );
}
