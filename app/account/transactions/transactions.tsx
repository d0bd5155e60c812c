import { Link, useSearchParams } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { useCoins } from "#app/ui/figures/use-coins.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { TableTools } from "#app/ui/tables/data-table.tsx";
import filters from "#app/ui/tables/filter-form.module.css";
import { FilterForm } from "#app/ui/tables/filter-form.tsx";
import { withParams } from "#app/ui/tables/list-params.ts";
import { OlderNewer } from "#app/ui/tables/pagination.tsx";
import { PageSizeForm } from "#app/ui/tables/table-forms.tsx";
import { type Coin, coins } from "#core/asset.ts";
import {
  calendarYear,
  listPeriods,
  periodValue,
  periodWords,
  type TaxYearStart,
} from "#core/payments/statement-period.ts";
import { formatDay, utcDay } from "#core/utc-day.ts";
import { type App, appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { listOwnCoins } from "#server/ledger/list-own-coins.ts";
import { listStatement } from "#server/ledger/list-statement.ts";
import { findTaxYearStart } from "#server/statements/find-tax-year-start.ts";
import { findFirstStatementDay } from "#server/statements/read-statement.ts";
import { valueLines } from "#server/statements/value-lines.ts";
import type { Route } from "./+types/transactions";
import { Entries } from "./entries.tsx";
import {
  type EntryFilter,
  kindOptions,
  readEntryFilter,
  toStatementFilter,
} from "./entry-filter.ts";
import { StatementForm } from "./statement-form.tsx";

export const meta = titled("Transactions");

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { id } = context.get(customerContext);
  const params = new URL(request.url).searchParams;
  const filter = readEntryFilter(params);
  const listing = { after: params.get("after") ?? undefined, limit: filter.show };
  const [page, first, archivedBefore, ownCoins] = await Promise.all([
    listStatement(app.db, id, { ...toStatementFilter(filter), ...listing }),
    listStatement(app.db, id, { limit: 1, oldestFirst: true }),
    findFirstStatementDay(app.db, id),
    listOwnCoins(app.db, id),
  ]);
  const firstDay = archivedBefore ?? (first.lines[0] ? utcDay(first.lines[0].occurredAt) : null);
  return {
    filter,
    kinds: kindOptions,
    ownCoins,
    entries: await valueLines(app.db, id, page.lines),
    after: page.after,
    lookedBackTo: page.lookedBackTo && utcDay(page.lookedBackTo),
    archivedBefore,
    statements: firstDay ? await readPeriods(app, id, { firstDay, archivedBefore }) : null,
  };
}

async function readPeriods(
  { db, now }: App,
  customerId: string,
  { firstDay, archivedBefore }: { firstDay: string; archivedBefore: string | null },
) {
  const start: TaxYearStart = (await findTaxYearStart(db, customerId)) ?? calendarYear;
  const periods = listPeriods(firstDay, utcDay(now()), start).filter(
    ({ fromDay }) => archivedBefore === null || fromDay >= archivedBefore,
  );
  const options = periods.map((period) => {
    return { kind: period.kind, value: periodValue(period), label: periodWords(period) };
  });
  return { start, options };
}

export default function Transactions({ loaderData }: Route.ComponentProps) {
  const { filter, kinds, ownCoins, entries, after } = loaderData;
  const { lookedBackTo, archivedBefore, statements } = loaderData;
  const offered = useCoins();
  const filterable = coins.filter((coin) => [...offered, ...ownCoins, filter.coin].includes(coin));
  return (
    <>
      <PageHeader
        title="Transactions"
        description="Every entry in your account, newest first: what moved, what it was worth then, and what you owned after it."
        actions={statements ? <a href="#statement">Statement as PDF, CSV or JSON</a> : null}
      />
      {statements === null ? (
        <Panel flush>
          <EmptyState drawing="ledger" action={<DepositButton />}>
            No transactions yet. The first one appears when we credit a deposit.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <Filters filter={filter} kinds={kinds} coins={filterable} />
          <Panel flush>
            <TableTools>
              <PageSizeForm show={filter.show} />
              {entries.length > 0 ? <CsvLink /> : null}
            </TableTools>
            {entries.length === 0 ? (
              <NothingFound lookedBackTo={lookedBackTo} after={after} />
            ) : (
              <Entries entries={entries} />
            )}
            <OlderNewer after={after}>{shownWords(loaderData)}</OlderNewer>
          </Panel>
          <StatementForm {...statements} archivedBefore={archivedBefore} />
        </>
      )}
    </>
  );
}

function shownWords({ entries, lookedBackTo, archivedBefore, after }: Data): string {
  return [
    `${entries.length} ${entries.length === 1 ? "entry" : "entries"} shown`,
    lookedBackTo ? `, looked back to ${formatDay(lookedBackTo)}` : "",
    archivedBefore && !after ? `; older than ${formatDay(archivedBefore)} is archived` : "",
  ].join("");
}

type Data = Route.ComponentProps["loaderData"];

interface FiltersProps {
  filter: EntryFilter;
  kinds: typeof kindOptions;
  coins: Coin[];
}

function Filters({ filter, kinds, coins }: FiltersProps) {
  const { coin, kind, from, until, search, show } = filter;
  return (
    <FilterForm label="Filter entries" aside={<AllLink />}>
      <input type="hidden" name="show" value={show} />
      <SelectField
        key={`coin-${coin}`}
        name="coin"
        label="Coin"
        defaultValue={coin ?? ""}
        choices={[{ value: "", label: "All" }, ...coins]}
      />
      <SelectField
        key={`kind-${kind}`}
        name="kind"
        label="Kind"
        className={filters.narrow}
        defaultValue={kind ?? ""}
        choices={[{ value: "", label: "Everything" }, ...kinds]}
      />
      <TextField
        key={`from-${from}`}
        type="date"
        name="from"
        label="From (UTC day)"
        defaultValue={from ?? ""}
      />
      <TextField
        key={`until-${until}`}
        type="date"
        name="until"
        label="Until"
        defaultValue={until ?? ""}
      />
      <TextField
        key={`q-${search}`}
        type="search"
        name="q"
        label="Words, amount or id"
        className={filters.narrow}
        defaultValue={search}
      />
    </FilterForm>
  );
}

/** The same filter, without the page. */
function CsvLink() {
  const [params] = useSearchParams();
  const filter = new URLSearchParams(filterNames.map((name) => [name, params.get(name) ?? ""]));
  for (const name of filterNames) if (!filter.get(name)) filter.delete(name);
  const isFiltered = filter.size > 0;
  return (
    <a href={`/account/transactions/entries.csv${isFiltered ? `?${filter}` : ""}`}>
      {isFiltered ? "Entries found as CSV" : "All entries as CSV"}
    </a>
  );
}

const filterNames = ["coin", "kind", "from", "until", "q"];

function AllLink() {
  const [params] = useSearchParams();
  const isFiltered = filterNames.some((name) => params.get(name));
  return isFiltered ? (
    <Link to="/account/transactions" preventScrollReset>
      Show all
    </Link>
  ) : null;
}

interface NothingFoundProps {
  lookedBackTo: string | null;
  after: string | null;
}

function NothingFound({ lookedBackTo, after }: NothingFoundProps) {
  const [params] = useSearchParams();
  if (!lookedBackTo) return <EmptyState drawing="balance">No entry matches.</EmptyState>;
  return (
    <EmptyState
      drawing="balance"
      action={<Link to={withParams(params, { after })}>Look further back</Link>}
    >
      No entry back to {formatDay(lookedBackTo)} matches.
    </EmptyState>
  );
}

function DepositButton() {
  return (
    <ButtonLink to="/account/deposit" look="outline">
      Make a deposit
    </ButtonLink>
  );
}
