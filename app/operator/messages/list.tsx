import { Link } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Age, When } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import filters from "#app/ui/tables/filter-form.module.css";
import { FilterForm } from "#app/ui/tables/filter-form.tsx";
import { type ListedThread, listThreads } from "#server/contact/list-threads.ts";
import { listKeys } from "../console-keys.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { readRowFlags } from "../parts/read-flags.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { RowFlags } from "../parts/row-flags.tsx";
import { searchText } from "../parts/search-text.ts";
import { StateTabs } from "../parts/tabs.tsx";
import type { Route } from "./+types/list";
import own from "./message.module.css";

const pageSize = 50;
const states = ["open", "answered", "closed", "spam"] as const;
type State = (typeof states)[number];

export const middleware = guard("contact/read");
export const meta = titled("Messages");
export const handle = { keys: [...listKeys, { key: "/", does: "search" }] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const params = new URL(request.url).searchParams;
  const state = states.find((known) => known === params.get("state")) ?? "open";
  const search = searchText(params, "q");
  const threads = await listThreads(db, {
    state,
    ...(search && { search }),
    after: params.get("after") ?? undefined,
    limit: pageSize + 1,
  });
  const shown = threads.slice(0, pageSize);
  return {
    state,
    search,
    now: now(),
    threads: shown,
    flags: await readRowFlags(
      context,
      shown.map(({ customerId }) => customerId),
    ),
    after: threads.length > pageSize ? (shown.at(-1)?.threadId ?? null) : null,
  };
}

export default function MessagesPage({ loaderData }: Route.ComponentProps) {
  const { state, search, now, threads, flags, after } = loaderData;
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Messages"
      description="What people wrote on the contact page, and customers in their account."
      tools={
        <>
          <StateTabs
            label="Messages by state"
            page="/operator/messages"
            states={tabNames}
            state={state === "open" ? null : state}
          />
          <FilterForm label="Search messages" action="Search">
            {state === "open" ? null : <input type="hidden" name="state" value={state} />}
            <TextField
              key={`${state}-${search}`}
              type="search"
              name="q"
              label="Name, e-mail, subject or reference"
              defaultValue={search}
              className={filters.wide}
              data-key="/"
            />
          </FilterForm>
        </>
      }
      empty={threads.length === 0 ? <NoMessages state={state} search={search} /> : null}
      order={state === "open" ? "Oldest first" : "Newest first"}
      after={after}
    >
      <Threads threads={threads} flags={flags} isQueue={state === "open"} now={now} whole={whole} />
    </QueuePage>
  );
}

const tabNames: [State | null, string][] = [
  [null, "Waiting"],
  ["answered", "Answered"],
  ["closed", "Closed"],
  ["spam", "Spam"],
];

function NoMessages({ state, search }: { state: State; search: string }) {
  if (search) {
    return (
      <EmptyState
        drawing="touchstone"
        action={<Link to="/operator/messages">Show all that wait</Link>}
      >
        No message here matches “{search}”.
      </EmptyState>
    );
  }
  if (state === "open") {
    return <EmptyState drawing="seal">No message is waiting for an answer.</EmptyState>;
  }
  return <EmptyState drawing="seal">There is nothing here.</EmptyState>;
}

interface ThreadsProps {
  threads: ListedThread[];
  flags: Route.ComponentProps["loaderData"]["flags"];
  isQueue: boolean;
  now: Date;
  whole: boolean;
}

function Threads({ threads, flags, isQueue, now, whole }: ThreadsProps) {
  return (
    <ConsoleTable
      label={isQueue ? "Messages waiting, oldest first" : "Messages, newest first"}
      rows={threads}
      whole={whole}
      rowKey={(thread) => thread.threadId}
      columns={[
        {
          head: "Subject",
          cellClass: own.subject,
          sort: "subject",
          value: "subject",
          to: (thread) => `/operator/messages/${thread.threadId}`,
          second: (thread) => (thread.isSuspected ? "Caught by the form's hidden field" : null),
        },
        {
          head: "From",
          sort: "from",
          value: "senderName",
          cell: (thread) => (
            <>
              {thread.senderName}
              <div className={styles.second}>{thread.senderEmail}</div>
              <RowFlags kinds={flags[thread.customerId ?? ""]} />
            </>
          ),
        },
        {
          head: isQueue ? "Waiting since" : "Last word",
          sort: "since",
          value: (thread) => (isQueue ? thread.waitingSince : thread.lastAt),
          cell: (thread) =>
            isQueue ? <Age at={thread.waitingSince} now={now} /> : <When at={thread.lastAt} />,
        },
        { head: "Messages", kind: "number", value: "messages" },
        { head: "Answers", kind: "number", value: "replies" },
        { head: "Reference", cellClass: own.reference, value: "reference" },
      ]}
    />
  );
}
