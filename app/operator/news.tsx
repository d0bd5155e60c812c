import { data, Link, redirect } from "react-router";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { flash } from "#app/ui/flash.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { parseForm } from "#app/ui/parse-form.ts";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { Refusal } from "#core/refusal.ts";
import { appContext } from "#server/app-context.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { addSource } from "#server/news/change-sources.ts";
import { type ListedSource, listSources } from "#server/news/queries.ts";
import type { Route } from "./+types/news";
import { ConsoleError } from "./console-error.tsx";
import { listKeys } from "./console-keys.ts";
import list from "./console-list.module.css";
import styles from "./news.module.css";
import { newsSourceSchema, sayNewsRefusal } from "./news-schema.ts";
import { NewsSourceForm } from "./news-source-form.tsx";
import { NewsSourceState } from "./news-source-state.tsx";
import columns from "./two-columns.module.css";
import { useMay } from "./use-may.ts";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("news/read", "news/add-source"),
];
export const ErrorBoundary = ConsoleError;
export const meta = titled("News feeds");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  return {
    sources: await listSources(context.get(appContext).db),
    now: context.get(appContext).now(),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, config, now } = context.get(appContext);
  const submission = parseForm(await request.formData(), { schema: newsSourceSchema });
  if (submission.status !== "success") return data(submission.reply(), 400);
  try {
    const wanted = { ...submission.value, allowLoopback: config.feedsAllowLoopback };
    const { sourceId } = await addSource(db, context.get(operatorContext), wanted, now());
    const headers = { "Set-Cookie": await flash("news-source-saved") };
    return redirect(`/operator/news/${sourceId}`, { headers });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return data(submission.reply(sayNewsRefusal(error.code)), 400);
  }
}

export default function NewsFeeds({
  loaderData: { sources, now },
  actionData,
}: Route.ComponentProps) {
  const may = useMay();
  return (
    <>
      <PageHeader
        title="News feeds"
        description="Other sites whose news stand on /news and the landing page, each with its name and age. The worker reads them every half hour."
      />
      <div className={columns.page}>
        {sources.length === 0 ? (
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
    <DataTable label="News feeds">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Feed</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th className={list.number}>Lines</Table.Th>
          <Table.Th>Last read</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sources.map((source) => (
          <Table.Tr key={source.id} className={list.row}>
            <Table.Td>
              <Link to={`/operator/news/${source.id}`} className={list.link} data-row>
                {source.name}
              </Link>
              <div className={`${list.second} ${styles.url}`}>{source.url}</div>
            </Table.Td>
            <Table.Td>
              {source.enabled ? (
                <NewsSourceState source={source} now={now} />
              ) : (
                <StatusBadge status="switched off" />
              )}
            </Table.Td>
            <Table.Td className={list.number}>{source.itemCount}</Table.Td>
            <Table.Td>{source.readAt ? <When at={source.readAt} /> : "–"}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
