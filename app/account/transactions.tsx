import { Button, NativeSelect, TextInput } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { TableTools } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import filters from "#app/ui/filter-form.module.css";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { withParams } from "#app/ui/list-params.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { PageSizeForm } from "#app/ui/table-forms.tsx";
import { useCoins } from "#app/ui/use-coins.ts";
import { type Coin, coins } from "#core/asset.ts";
import { longDay } from "#core/market-overview.ts";
import {
  calendarYear,
  listPeriods,
  periodValue,
  periodWords,
  type TaxYearStart,
} from "#core/statement-period.ts";
import { utcDay } from "#core/utc-day.ts";
import { type App, appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/person-context.ts";
import { listStatement } from "#server/ledger/list-statement.ts";
import { findTaxYearStart, valueLines } from "#server/statements/queries.ts";
import { findFirstStatementDay } from "#server/statements/read-statement.ts";
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
  const [page, first, archivedBefore] = await Promise.all([
    listStatement(app.db, id, { ...toStatementFilter(filter), ...listing }),
    listStatement(app.db, id, { limit: 1, oldestFirst: true }),
    findFirstStatementDay(app.db, id),
  ]);
  const firstDay = archivedBefore ?? (first.lines[0] ? utcDay(first.lines[0].occurredAt) : null);
  return {
    filter,
    kinds: kindOptions,
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
  const { filter, kinds, entries, after, lookedBackTo, archivedBefore, statements } = loaderData;
  const offered = useCoins();
  const filterable = coins.filter(
    (coin) =>
      offered.includes(coin) || filter.coin === coin || entries.some(({ asset }) => asset === coin),
  );
  return (
    <>
      <PageHeader
        title="Transactions"
        description="Every entry on your accounts, newest first: what moved, what it was worth then, and what you owned after it."
        actions={statements ? <a href="#statement">Statement as PDF, CSV or JSON</a> : null}
      />
      {statements === null ? (
        <Panel flush>
          <EmptyState drawing="journal" action={<DepositButton />}>
            The journal holds nothing of yours yet. The first entry is written when a deposit is
            approved.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <Filters filter={filter} kinds={kinds} coins={filterable} />
          <Panel flush>
            <TableTools>
              <PageSizeForm show={filter.show} />
            </TableTools>
            {entries.length === 0 ? (
              <NothingFound lookedBackTo={lookedBackTo} after={after} />
            ) : (
              <Entries entries={entries} />
            )}
            <OlderNewer after={after}>
              {entries.length} {entries.length === 1 ? "entry" : "entries"} shown
              {lookedBackTo ? `, looked back to ${lookedBackTo}` : null}
              {archivedBefore && !after
                ? `; older than ${longDay(archivedBefore)} is archived`
                : null}
            </OlderNewer>
          </Panel>
          <StatementForm {...statements} archivedBefore={archivedBefore} />
        </>
      )}
    </>
  );
}

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
      <NativeSelect
        key={`coin-${coin}`}
        name="coin"
        label="Coin"
        defaultValue={coin ?? ""}
        data={[{ value: "", label: "All" }, ...coins]}
      />
      <NativeSelect
        key={`kind-${kind}`}
        name="kind"
        label="Kind"
        className={filters.narrow}
        defaultValue={kind ?? ""}
        data={[{ value: "", label: "Everything" }, ...kinds]}
      />
      <TextInput
        key={`from-${from}`}
        type="date"
        name="from"
        label="From (UTC day)"
        defaultValue={from ?? ""}
      />
      <TextInput
        key={`until-${until}`}
        type="date"
        name="until"
        label="Until"
        defaultValue={until ?? ""}
      />
      <TextInput
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

function AllLink() {
  const [params] = useSearchParams();
  const isFiltered = ["coin", "kind", "from", "until", "q"].some((name) => params.get(name));
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
      No entry back to {lookedBackTo} matches.
    </EmptyState>
  );
}

function DepositButton() {
  return (
    <Button component={Link} to="/account/deposit" variant="outline">
      Make a deposit
    </Button>
  );
}
