import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { TableFrame } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { appContext } from "#server/app-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { countSubscriptions, type ListedIssue, listIssues } from "#server/newsletter/queries.ts";
import type { Route } from "./+types/newsletter";
import { ConsoleError } from "./console-error.tsx";
import { listKeys } from "./console-keys.ts";
import styles from "./console-list.module.css";
import own from "./newsletter-issue.module.css";
import { useMay } from "./use-may.ts";

const pageSize = 50;

export const middleware: Route.MiddlewareFunction[] = [requirePermission("newsletter/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Newsletter");
export const handle = {
  keys: [...listKeys, { key: "a", does: "write an issue", needs: "newsletter/save-issue" }],
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
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
  return (
    <>
      <PageHeader
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
      />
      {issues.length === 0 ? (
        <EmptyState drawing="seal">
          No issue yet. Visitors subscribe in the footer of every public page.
        </EmptyState>
      ) : (
        <Issues issues={issues} />
      )}
      <OlderNewer after={after}>
        {issues.length === 0 ? null : `${issues.length} shown, newest first`}
      </OlderNewer>
    </>
  );
}

function readers(count: number): string {
  return count === 1 ? "1 subscriber" : `${count} subscribers`;
}

function Issues({ issues }: { issues: ListedIssue[] }) {
  return (
    <TableFrame label="Issues">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Subject</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th className={styles.number}>Recipients</Table.Th>
          <Table.Th className={styles.number}>Sent</Table.Th>
          <Table.Th className={styles.number}>Waiting</Table.Th>
          <Table.Th className={styles.number}>Failed</Table.Th>
          <Table.Th className={styles.number}>Left since</Table.Th>
          <Table.Th>Begun</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {issues.map((issue) => (
          <Table.Tr key={issue.issueId} className={styles.row}>
            <Table.Td className={own.subject}>
              <Link to={`/operator/newsletter/${issue.issueId}`} className={styles.link} data-row>
                {issue.subject}
              </Link>
              <div className={styles.second}>written by {issue.changedBy}</div>
            </Table.Td>
            <Table.Td>
              <StatusBadge status={issue.state} />
            </Table.Td>
            {[issue.recipients, issue.sent, issue.waiting, issue.failed, issue.leftSince].map(
              (count, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns stand still
                <Table.Td key={column} className={styles.number}>
                  {issue.state === "draft" ? "–" : count}
                </Table.Td>
              ),
            )}
            <Table.Td>{issue.startedAt ? <When at={issue.startedAt} /> : "–"}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </TableFrame>
  );
}
