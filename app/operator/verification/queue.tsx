import { Link } from "react-router";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Age, When } from "#app/ui/when.tsx";
import { countryName } from "#core/countries.ts";
import { appContext } from "#server/app-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { listDecidedSubmissions, listWaitingSubmissions } from "#server/verification/queries.ts";
import { ConsoleError } from "../console-error.tsx";
import { listKeys } from "../console-keys.ts";
import styles from "../console-list.module.css";
import { readRowFlags } from "../read-flags.ts";
import { RowFlags } from "../row-flags.tsx";
import tabs from "../tabs.module.css";
import type { Route } from "./+types/queue";

const pageSize = 50;

export const middleware: Route.MiddlewareFunction[] = [requirePermission("verification/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Verification");
export const handle = { keys: listKeys };

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const decided = url.searchParams.get("state") === "decided";
  const after = url.searchParams.get("after") ?? undefined;
  const waiting = decided ? [] : await listWaitingSubmissions(db, { after, limit: pageSize + 1 });
  const done = decided ? await listDecidedSubmissions(db, pageSize) : [];
  return {
    decided,
    now: now(),
    flags: await readRowFlags(
      context,
      waiting.map(({ customerId }) => customerId),
    ),
    waiting: waiting
      .slice(0, pageSize)
      .map((each) => ({ ...each, country: countryName(each.country) })),
    done: done.map((each) => ({ ...each, country: countryName(each.country) })),
    after: waiting.length > pageSize ? (waiting[pageSize - 1]?.id ?? null) : null,
  };
}

export default function VerificationQueue({ loaderData }: Route.ComponentProps) {
  const { decided, done, ...queue } = loaderData;
  return (
    <>
      <PageHeader title="Verification" />
      <nav className={tabs.tabs} aria-label="Verifications by state">
        <Link
          to="/operator/verification"
          className={tabs.tab}
          aria-current={decided ? undefined : "page"}
        >
          Waiting
        </Link>
        <Link
          to="/operator/verification?state=decided"
          className={tabs.tab}
          aria-current={decided ? "page" : undefined}
        >
          Decided
        </Link>
      </nav>
      {decided ? <Decided done={done} /> : <Waiting {...queue} />}
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

function Waiting({ waiting, flags, now, after }: Omit<Data, "decided" | "done">) {
  if (waiting.length === 0) {
    return <EmptyState drawing="seal">No customer is waiting to be verified.</EmptyState>;
  }
  return (
    <>
      <DataTable
        label="Verifications waiting, oldest first"
        rows={waiting}
        rowKey={(each) => each.id}
        rowClass={styles.row}
        columns={[
          {
            head: "Customer",
            cell: (each) => (
              <>
                <Link to={`/operator/verification/${each.id}`} className={styles.link} data-row>
                  {each.legalName}
                </Link>
                <div className={styles.second}>{each.email}</div>
                <RowFlags kinds={flags[each.customerId]} />
              </>
            ),
          },
          { head: "Waiting since", cell: (each) => <Age at={each.submittedAt} now={now} /> },
          { head: "Country", cell: (each) => each.country },
          {
            head: "Decisions",
            cell: (each) =>
              each.secondReviewReason === null ? (
                "One is enough"
              ) : (
                <>
                  <StatusBadge status={`${each.approvals} of 2`} tone="waiting" />
                  <div className={styles.second}>{each.secondReviewReason}</div>
                </>
              ),
          },
          {
            head: "Submitted before",
            cell: (each) =>
              each.earlier === 0 ? "No" : each.earlier === 1 ? "Once" : `${each.earlier} times`,
          },
        ]}
      />
      <OlderNewer after={after}>Oldest first</OlderNewer>
    </>
  );
}

function Decided({ done }: Pick<Data, "done">) {
  if (done.length === 0) {
    return <EmptyState drawing="touchstone">Nothing has been decided yet.</EmptyState>;
  }
  return (
    <DataTable
      label="Verifications decided, newest decision first"
      rows={done}
      rowKey={(each) => each.id}
      rowClass={styles.row}
      columns={[
        {
          head: "Customer",
          cell: (each) => (
            <Link to={`/operator/verification/${each.id}`} className={styles.link} data-row>
              {each.legalName}
            </Link>
          ),
        },
        { head: "Country", cell: (each) => each.country },
        {
          head: "Outcome",
          cell: (each) => (
            <StatusBadge
              status={each.state}
              {...(each.state === "declined" && { tone: "bad" as const })}
            />
          ),
        },
        { head: "Submitted", cell: (each) => <When at={each.submittedAt} /> },
        { head: "Decided", cell: (each) => <When at={each.decidedAt} /> },
      ]}
    />
  );
}
