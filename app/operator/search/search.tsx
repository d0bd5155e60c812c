import { Link } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import filters from "#app/ui/tables/filter-form.module.css";
import { FilterForm } from "#app/ui/tables/filter-form.tsx";
import { may } from "#core/permissions.ts";
import { type Found, mostFound, searchConsole } from "#server/console/search/search-console.ts";
import { listKeys } from "../console-keys.ts";
import { navigationFor } from "../navigation.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { searchText } from "../parts/search-text.ts";
import type { Route } from "./+types/search";
import styles from "./search.module.css";

export const middleware = guard("console/read");
export const meta = titled("Search");
export const handle = { keys: [...listKeys, { key: "/", does: "search" }] };

interface ResultGroup {
  name: string;
  results: Pick<Found, "id" | "title" | "detail" | "to">[];
  /** The list that has more of them, where there may be more. */
  more: string | null;
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, operator } = consoleOf(context);
  const text = searchText(url.searchParams, "q");
  const found = text ? await searchConsole(db, { text, role: operator.role }) : [];
  const pages = text ? pagesNamed(text, operator.role) : [];
  return {
    text,
    groups: [...pages, ...grouped(found, text, may(operator.role, "customers/read"))],
  };
}

/** Pages of the console whose name begins as was typed. */
function pagesNamed(text: string, role: Parameters<typeof navigationFor>[0]): ResultGroup[] {
  const typed = text.toLowerCase();
  const results = navigationFor(role, []).flatMap(({ name: group, entries }) =>
    entries
      .filter(({ name }) => name.toLowerCase().startsWith(typed))
      .map(({ name, home }) => ({ id: home, title: name, detail: group, to: home })),
  );
  return results.length === 0 ? [] : [{ name: "Pages", results, more: null }];
}

function grouped(found: Found[], text: string, readsCustomers: boolean): ResultGroup[] {
  const names = [...new Set(found.map(({ group }) => group))];
  return names.map((name) => {
    // An address that a withdrawal went to is also in the book: each has one line.
    const ofGroup = found.filter(({ group }) => group === name);
    const results = ofGroup.filter(
      ({ id }, at) => ofGroup.findIndex((each) => each.id === id) === at,
    );
    const isCut = name === "Customers" && readsCustomers && results.length === mostFound;
    const more = isCut ? `/operator/customers?q=${encodeURIComponent(text)}` : null;
    return { name, results, more };
  });
}

export default function Search({ loaderData: { text, groups } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Search" />
      <FilterForm label="Search the console" action="Search">
        <TextField
          key={text}
          type="search"
          name="q"
          label="Name, e-mail, address, transaction id or id"
          defaultValue={text}
          className={filters.wide}
          autoFocus={text === ""}
          data-key="/"
          data-search
        />
      </FilterForm>
      {text === "" ? (
        <EmptyState drawing="touchstone">
          Find a customer or a colleague by part of the name or e-mail; a day by its date, such as
          2026-11-24; anything else by its whole id, transaction id, address or reference.
        </EmptyState>
      ) : null}
      {text !== "" && groups.length === 0 ? (
        <EmptyState drawing="touchstone">
          Nothing that you may see matches “{text}”. Names need at least three letters; ids,
          addresses and transaction ids must be whole.
        </EmptyState>
      ) : null}
      <div className={styles.groups}>
        {groups.map((group) => (
          <Group key={group.name} group={group} />
        ))}
      </div>
    </>
  );
}

function Group({ group: { name, results, more } }: { group: ResultGroup }) {
  return (
    <Panel
      title={name}
      aside={
        more ? (
          <Link to={more} className={styles.more}>
            {name} that match
          </Link>
        ) : null
      }
      flush
    >
      <ul className={layout.plain}>
        {results.map(({ id, title, detail, to }) => (
          <li key={id} className={styles.result}>
            <Link to={to} className={styles.link} data-row>
              {title}
            </Link>
            <span className={styles.detail}>{detail}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
