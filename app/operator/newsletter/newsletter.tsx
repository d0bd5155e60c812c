import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { type ListedIssue, listIssues } from "#server/newsletter/list-issues.ts";
import { countSubscriptions } from "#server/newsletter/list-subscriptions.ts";
import { listKeys } from "../console-keys.ts";
import styles from "../parts/console-list.module.css";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/newsletter";
import own from "./newsletter-issue.module.css";

const pageSize = 50;

export const middleware = guard("newsletter/read");
export const meta = titled("Newsletter");
export const handle = {
  keys: [...listKeys, { key: "a", does: "write an issue", needs: "newsletter/save-issue" }],
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = consoleOf(context);
  const after = new URL(request.url).searchParams.get("after") ?? undefined;
  const issues = await listIssues(db, { after, limit: pageSize + 1 });
  const shown = issues.slice(0, pageSize);
  return {
    issues: shown,
    after: issues.length > pageSize ? (shown.at(-1)?.issueId ?? null) : null,
    counts: await countSubscriptions(db),
  };
}

export default function NewsletterPage({ loaderData }: Route.ComponentProps) {
  const { issues, after, counts } = loaderData;
  const may = useMay();
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Newsletter"
      description={
        <>
          <Link to="/operator/newsletter/subscribers">{readers(counts.confirmed)}</Link>,{" "}
          {counts.pending} not confirmed yet, {counts.ended} left.
        </>
      }
      actions={
        may("newsletter/save-issue") ? (
          <ButtonLink to="/operator/newsletter/new" data-key="a">
            Write an issue
          </ButtonLink>
        ) : null
      }
      empty={
        issues.length === 0 ? (
          <EmptyState drawing="seal">
            No issue yet. Visitors subscribe in the footer of every public page.
          </EmptyState>
        ) : null
      }
      order={`${issues.length} shown, newest first`}
      after={after}
    >
      <Issues issues={issues} whole={whole} />
    </QueuePage>
  );
}

function readers(count: number): string {
  return count === 1 ? "1 subscriber" : `${count} subscribers`;
}

function Issues({ issues, whole }: { issues: ListedIssue[]; whole: boolean }) {
  return (
    <DataTable
      label="Issues"
      rows={issues}
      rowKey={({ issueId }) => issueId}
      rowClass={styles.row}
      whole={whole}
      columns={[
        {
          head: "Subject",
          cellClass: own.subject,
          sort: { column: "subject", by: ({ subject }) => subject },
          cell: ({ issueId, subject, changedBy }) => (
            <>
              <Link to={`/operator/newsletter/${issueId}`} className={styles.link} data-row>
                {subject}
              </Link>
              <div className={styles.second}>written by {changedBy}</div>
            </>
          ),
        },
        { head: "State", cell: ({ state }) => <StatusBadge status={state} /> },
        ...sums.map(([head, column]) => ({
          head,
          className: styles.number,
          cell: (issue: ListedIssue) => (issue.state === "draft" ? "–" : issue[column]),
        })),
        {
          head: "Begun",
          sort: { column: "begun", first: "desc", by: ({ startedAt }) => startedAt },
          cell: ({ startedAt }) => (startedAt ? <When at={startedAt} /> : "–"),
        },
      ]}
    />
  );
}

const sums = [
  ["Recipients", "recipients"],
  ["Sent", "sent"],
  ["Waiting", "waiting"],
  ["Failed", "failed"],
  ["Left since", "leftSince"],
] as const;
