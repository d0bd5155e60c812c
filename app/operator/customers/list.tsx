import { Link } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import filters from "#app/ui/tables/filter-form.module.css";
import { FilterForm } from "#app/ui/tables/filter-form.tsx";
import {
  type ListedCustomer,
  searchCustomers,
} from "#server/console/customers/search-customers.ts";
import { listKeys } from "../console-keys.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { readRowFlags } from "../parts/read-flags.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { RowFlags } from "../parts/row-flags.tsx";
import { searchText } from "../parts/search-text.ts";
import type { Route } from "./+types/list";

const pageSize = 50;

export const middleware = guard("customers/read");
export const meta = titled("Customers");
export const handle = { keys: [...listKeys, { key: "/", does: "search" }] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = consoleOf(context);
  const params = new URL(request.url).searchParams;
  const text = searchText(params, "q");
  const after = params.get("after") ?? undefined;
  const customers = await searchCustomers(db, { text, after, limit: pageSize + 1 });
  const shown = customers.slice(0, pageSize);
  return {
    text,
    customers: shown,
    flags: await readRowFlags(
      context,
      shown.map(({ id }) => id),
    ),
    after: customers.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
  };
}

export default function CustomersPage({ loaderData }: Route.ComponentProps) {
  const { text, customers, flags, after } = loaderData;
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Customers"
      description="Search by name, e-mail or id."
      tools={
        <FilterForm label="Search customers" action="Search">
          <TextField
            key={text}
            type="search"
            name="q"
            label="Name, e-mail or id"
            defaultValue={text}
            className={filters.wide}
            data-key="/"
          />
        </FilterForm>
      }
      empty={customers.length === 0 ? <Nobody text={text} /> : null}
      order={`${customers.length} shown, newest first`}
      after={after}
    >
      <CustomerTable customers={customers} flags={flags} whole={whole} />
    </QueuePage>
  );
}

function Nobody({ text }: { text: string }) {
  if (text === "") {
    return (
      <EmptyState drawing="rack">No customers yet. They register themselves at /signup.</EmptyState>
    );
  }
  return (
    <EmptyState
      drawing="touchstone"
      action={<Link to="/operator/customers">Show all customers</Link>}
    >
      No customer matches “{text}”. Every word must be in the name or the e-mail address.
    </EmptyState>
  );
}

interface CustomerTableProps {
  customers: ListedCustomer[];
  flags: Route.ComponentProps["loaderData"]["flags"];
  whole: boolean;
}

function CustomerTable({ customers, flags, whole }: CustomerTableProps) {
  return (
    <ConsoleTable
      label="Customers"
      rows={customers}
      whole={whole}
      columns={[
        {
          head: "Name",
          sort: "name",
          value: "name",
          cell: (customer) => (
            <>
              <Link to={`/operator/customers/${customer.id}`} className={styles.link} data-row>
                {customer.name}
              </Link>
              <RowFlags kinds={flags[customer.id]} />
            </>
          ),
        },
        { head: "E-mail", sort: "email", value: "email" },
        {
          head: "E-mail verified",
          cell: (customer) => (
            <StatusBadge
              status={customer.emailVerified ? "yes" : "not yet"}
              tone={customer.emailVerified ? "good" : "waiting"}
            />
          ),
        },
        {
          head: "Deposits waiting",
          kind: "number",
          sort: "-waiting",
          value: "depositsWaiting",
          cell: (customer) => customer.depositsWaiting || "–",
        },
        { head: "Registered", sort: "-registered", value: "createdAt" },
      ]}
    />
  );
}
