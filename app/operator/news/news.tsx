import { data, Link } from "react-router";
import { errorsOf, runAct } from "#app/run-act.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { addSource } from "#server/news/change-sources.ts";
import { type ListedSource, listSources } from "#server/news/list-sources.ts";
import { listKeys } from "../console-keys.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { StateTabs } from "../parts/state-tabs.tsx";
import columns from "../parts/two-columns.module.css";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/news";
import styles from "./news.module.css";
import { newsSourceSchema } from "./news-schema.ts";
import { NewsSourceForm } from "./news-source-form.tsx";
import { NewsSourceState } from "./news-source-state.tsx";

export const middleware = guard("news/read", "news/add-source");
export const meta = titled("News feeds");
export const handle = { keys: listKeys };

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const isFailing = url.searchParams.get("state") === "failing";
  const all = await listSources(db);
  const sources = isFailing ? all.filter(({ enabled, failures }) => enabled && failures > 0) : all;
  return { sources, isFailing, now: now() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, config, now, operator } = consoleOf(context);
  const form = await request.formData();
  const submission = parseForm(form, { schema: newsSourceSchema });
  if (submission.status !== "success") return data(submission.reply(), 400);
  return runAct(
    async () => {
      const wanted = { ...submission.value, allowLoopback: config.feedsAllowLoopback };
      const { sourceId } = await addSource(db, operator, wanted, now());
      return { to: `/operator/news/${sourceId}`, say: "news-source-saved" };
    },
    (said) => submission.reply(errorsOf(said, form)),
    sayRefusal,
  );
}

export default function NewsFeeds({
  loaderData: { sources, isFailing, now },
  actionData,
}: Route.ComponentProps) {
  const may = useMay();
  return (
    <>
      <PageHeader
        title="News feeds"
        description="Other sites whose news appear on /news and the landing page, each with its name and age. We read them every half hour."
      />
      <StateTabs
        label="Feeds by state"
        page="/operator/news"
        states={[
          [null, "All"],
          ["failing", "Failing"],
        ]}
        state={isFailing ? "failing" : null}
      />
      <div className={columns.page}>
        {sources.length === 0 && isFailing ? (
          <EmptyState drawing="journal">No feed fails.</EmptyState>
        ) : sources.length === 0 ? (
          <EmptyState drawing="journal">
            No feeds yet. Your own announcements are written under Content.
          </EmptyState>
        ) : (
          <Sources sources={sources} now={now} />
        )}
        {may("news/add-source") ? (
          <Panel title="Add a feed">
            <NewsSourceForm saved={null} seenRevision={null} lastResult={actionData} />
          </Panel>
        ) : null}
      </div>
    </>
  );
}

function Sources({ sources, now }: { sources: ListedSource[]; now: Date }) {
  return (
    <ConsoleTable
      label="News feeds"
      rows={sources}
      columns={[
        {
          head: "Feed",
          sort: "feed",
          value: "name",
          cell: (source) => (
            <>
              <Link to={`/operator/news/${source.id}`} className={list.link} data-row>
                {source.name}
              </Link>
              <div className={`${list.second} ${styles.url}`}>{source.url}</div>
            </>
          ),
        },
        {
          head: "State",
          cell: (source) =>
            source.enabled ? (
              <NewsSourceState source={source} now={now} />
            ) : (
              <StatusBadge status="switched off" />
            ),
        },
        { head: "Lines", kind: "number", sort: "-lines", value: "itemCount" },
        { head: "Last read", sort: "-read", value: "readAt" },
      ]}
    />
  );
}
