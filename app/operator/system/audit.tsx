import { Link, useSearchParams } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { FilterForm } from "#app/ui/tables/filter-form.tsx";
import { findAuditHead } from "#server/console/audit/find-audit-head.ts";
import { listAuditChoices } from "#server/console/audit/list-audit-choices.ts";
import { listAuditLog } from "#server/console/audit/list-audit-log.ts";
import { listKeys } from "../console-keys.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { CsvLink, QueuePage } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/audit";
import rows from "./act-row.module.css";
import { ActMoment, ActWords } from "./act-row.tsx";
import styles from "./audit.module.css";
import { readAuditFilter } from "./audit-filter.ts";

const pageSize = 50;

export const middleware = guard("audit/read");
export const meta = titled("Audit log");
export const handle = { keys: [...listKeys.slice(0, 2), { key: "/", does: "search" }] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = consoleOf(context);
  const params = new URL(request.url).searchParams;
  const filter = readAuditFilter(params);
  const after = Number.parseInt(params.get("after") ?? "", 10);
  const acts = await listAuditLog(db, filter, {
    after: Number.isSafeInteger(after) ? after : undefined,
    limit: pageSize + 1,
  });
  const shown = acts.slice(0, pageSize);
  const head = await findAuditHead(db);
  return {
    acts: shown,
    head: head && `${head.link}:${head.hash}`,
    after: acts.length > pageSize ? String(shown.at(-1)?.position) : null,
    filter,
    choices: await listAuditChoices(db),
  };
}

export default function AuditPage({ loaderData }: Route.ComponentProps) {
  const { acts, after, filter, choices, head } = loaderData;
  const [params] = useSearchParams();
  const chain = head ? <Head head={head} /> : null;
  return (
    <QueuePage
      title="Audit log"
      description="Written in the same transaction as the act itself. Rows are added, never changed."
      actions={<CsvLink file="/operator/audit.csv" needs="console/export-audit-log" />}
      tools={<Filters filter={filter} choices={choices} />}
      empty={
        acts.length === 0 ? (
          <>
            <NoActs filtered={params.size > 0} />
            {chain}
          </>
        ) : null
      }
      order={`${acts.length} shown, newest first`}
      after={after}
    >
      <Acts acts={acts} />
      {chain}
    </QueuePage>
  );
}

type Data = Route.ComponentProps["loaderData"];

function Filters({ filter, choices }: Pick<Data, "filter" | "choices">) {
  return (
    <FilterForm label="Filter the audit log">
      {filter.customerId ? <input type="hidden" name="customer" value={filter.customerId} /> : null}
      <SelectField
        key={`operator-${filter.operatorId}`}
        name="operator"
        label="Operator"
        defaultValue={filter.operatorId ?? ""}
        choices={[
          { value: "", label: "All staff" },
          ...choices.operators.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        key={`act-${filter.act}`}
        name="act"
        label="Act"
        defaultValue={filter.act ?? ""}
        choices={[{ value: "", label: "Every act" }, ...choices.acts]}
      />
      <TextField
        key={`from-${filter.from}`}
        type="date"
        name="from"
        label="From (UTC day)"
        defaultValue={filter.from ?? ""}
      />
      <TextField
        key={`until-${filter.until}`}
        type="date"
        name="until"
        label="Until"
        defaultValue={filter.until ?? ""}
      />
      <TextField
        key={`q-${filter.about}`}
        type="search"
        name="q"
        label="Customer, subject or words"
        defaultValue={filter.about ?? ""}
        data-key="/"
      />
    </FilterForm>
  );
}

/** What to keep elsewhere, so that nobody can rewrite what came before. */
function Head({ head }: { head: string }) {
  return (
    <Notice title="The head of the chain">
      <p className={styles.head}>
        <code>{head}</code>
      </p>
      Every act carries the hash of the one before. Keep this line where no one here can change it:{" "}
      <code>npm run verify -- audit --head</code> with it computes the whole log anew, and says
      whether anything was changed, dropped or slipped in since.
    </Notice>
  );
}

function NoActs({ filtered }: { filtered: boolean }) {
  if (!filtered) return <EmptyState drawing="ledger">No acts yet.</EmptyState>;
  return (
    <EmptyState drawing="ledger" action={<Link to="/operator/audit">Show the whole log</Link>}>
      No act matches these filters.
    </EmptyState>
  );
}

function Acts({ acts }: Pick<Data, "acts">) {
  return (
    <ConsoleTable
      label="Audit log"
      rows={acts}
      columns={[
        { head: "When, by whom", cell: (act) => <ActMoment act={act} /> },
        { head: "Act", cellClass: rows.what, cell: (act) => <ActWords act={act} /> },
        {
          head: "Customer",
          cellClass: rows.name,
          cell: ({ customer }) =>
            customer ? <Link to={`/operator/customers/${customer.id}`}>{customer.name}</Link> : "–",
        },
      ]}
    />
  );
}
