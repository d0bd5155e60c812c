import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { TableFrame } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import filters from "#app/ui/filter-form.module.css";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { Table } from "#app/ui/table.tsx";
import { Age, When } from "#app/ui/when.tsx";
import {
  type AdjustmentState,
  adjustmentKinds,
  adjustmentKindWords,
  adjustmentStates,
} from "#core/adjustments.ts";
import { coins } from "#core/asset.ts";
import type { FlagKind } from "#core/customer-flags.ts";
import { type ListedAdjustment, listAdjustments } from "#server/adjustments/queries.ts";
import { appContext } from "#server/app-context.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { listOwnMoney } from "#server/ledger/queries.ts";
import { ConsoleError } from "../console-error.tsx";
import { listKeys } from "../console-keys.ts";
import styles from "../console-list.module.css";
import { readRowFlags } from "../read-flags.ts";
import { RowFlags } from "../row-flags.tsx";
import { searchText } from "../search-text.ts";
import tabs from "../tabs.module.css";
import { useMay } from "../use-may.ts";
import type { Route } from "./+types/queue";
import own from "./adjustments.module.css";

const pageSize = 50;

export const middleware: Route.MiddlewareFunction[] = [requirePermission("adjustments/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Adjustments");
export const handle = {
  keys: [
    ...listKeys,
    { key: "/", does: "search" },
    { key: "p", does: "propose", needs: "adjustments/propose" },
  ],
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const params = new URL(request.url).searchParams;
  const state = adjustmentStates.find((known) => known === params.get("state")) ?? "open";
  const kind = adjustmentKinds.find((known) => known === params.get("kind"));
  const search = searchText(params, "q");
  const after = params.get("after") ?? undefined;
  const [found, equity] = await Promise.all([
    listAdjustments(db, { state, kind, search, after, limit: pageSize + 1 }),
    listOwnMoney(db),
  ]);
  const shown = found.slice(0, pageSize);
  const own = coins.map((coin) => ({
    coin,
    units: equity.find(({ asset }) => asset === coin)?.units ?? 0n,
  }));
  return {
    state,
    kind: kind ?? null,
    search,
    now: now(),
    operatorId: context.get(operatorContext).id,
    adjustments: shown,
    flags: await readRowFlags(
      context,
      shown.map(({ customerId }) => customerId),
    ),
    equity: own.filter(({ coin, units }) => config.coins.includes(coin) || units !== 0n),
    after: found.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
  };
}

export default function AdjustmentsPage({ loaderData }: Route.ComponentProps) {
  const { state, kind, search, adjustments, flags, after, now, operatorId, equity } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Adjustments"
        description="The operator's own money: given to customers, paid in, taken out. One person proposes, another decides."
        actions={
          <>
            <Link to="/operator/adjustments/own-money">Statement of own money</Link>
            {may("adjustments/propose") ? (
              <Link to="/operator/adjustments/new" data-key="p">
                Propose an adjustment
              </Link>
            ) : null}
          </>
        }
      />
      <dl className={own.equity} aria-label="The operator's own money">
        {equity.map(({ coin, units }) => (
          <div key={coin}>
            <dt>Own money in {coin}</dt>
            <dd>
              <Amount units={units} asset={coin} />
            </dd>
          </div>
        ))}
      </dl>
      <nav className={tabs.tabs} aria-label="Adjustments by state">
        {tabNames.map(([value, name]) => (
          <Link
            key={value}
            to={value === "open" ? "/operator/adjustments" : `/operator/adjustments?state=${value}`}
            className={tabs.tab}
            aria-current={value === state ? "page" : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <FilterForm label="Filter adjustments">
        {state === "open" ? null : <input type="hidden" name="state" value={state} />}
        <SelectField
          key={`${state}-${kind}`}
          name="kind"
          label="Kind"
          defaultValue={kind ?? ""}
          choices={[
            { value: "", label: "All" },
            ...adjustmentKinds.map((value) => ({ value, label: adjustmentKindWords[value] })),
          ]}
        />
        <TextField
          key={`${state}-${search}`}
          type="search"
          name="q"
          label="Customer or reason"
          defaultValue={search}
          className={filters.middle}
          data-key="/"
        />
      </FilterForm>
      {adjustments.length === 0 ? (
        <Nothing state={state} filtered={kind !== null || search !== ""} />
      ) : (
        <Adjustments
          adjustments={adjustments}
          flags={flags}
          isQueue={state === "open"}
          now={now}
          operatorId={operatorId}
        />
      )}
      <OlderNewer after={after}>
        {adjustments.length === 0
          ? null
          : state === "open"
            ? "Oldest first"
            : "Newest decision first"}
      </OlderNewer>
    </>
  );
}

const tabNames: [AdjustmentState, string][] = [
  ["open", "Waiting"],
  ["approved", "Approved"],
  ["rejected", "Rejected"],
  ["withdrawn", "Withdrawn"],
];

function Nothing({ state, filtered }: { state: AdjustmentState; filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        drawing="touchstone"
        action={<Link to="/operator/adjustments">Show all that wait</Link>}
      >
        No adjustment matches these filters.
      </EmptyState>
    );
  }
  if (state === "open") return <EmptyState drawing="balance">Nothing waits.</EmptyState>;
  return <EmptyState drawing="balance">No adjustment has been {state} yet.</EmptyState>;
}

interface AdjustmentsProps {
  adjustments: ListedAdjustment[];
  flags: Route.ComponentProps["loaderData"]["flags"];
  isQueue: boolean;
  now: Date;
  operatorId: string;
}

function Adjustments({ adjustments, flags, isQueue, now, operatorId }: AdjustmentsProps) {
  return (
    <TableFrame
      label={isQueue ? "Adjustments waiting, oldest first" : "Adjustments, newest decision first"}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>What</Table.Th>
          <Table.Th className={styles.number}>Amount</Table.Th>
          <Table.Th>{isQueue ? "Waiting since" : "Decided"}</Table.Th>
          <Table.Th>Proposed by</Table.Th>
          {isQueue ? null : <Table.Th>Decided by</Table.Th>}
          <Table.Th>Reason</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {adjustments.map((each) => (
          <Row
            key={each.id}
            adjustment={each}
            flags={flags[each.customerId ?? ""]}
            operatorId={operatorId}
            now={now}
          />
        ))}
      </Table.Tbody>
    </TableFrame>
  );
}

interface RowProps {
  adjustment: ListedAdjustment;
  flags: FlagKind[] | undefined;
  operatorId: string;
  now: Date;
}

function Row({ adjustment, flags, operatorId, now }: RowProps) {
  const { id, kind, units, asset, decidedAt, proposedAt, reason, rejectionReason } = adjustment;
  const nameOf = (person: string | null, name: string | null) =>
    person === operatorId ? "You" : name;
  return (
    <Table.Tr className={styles.row}>
      <Table.Td className={own.what}>
        <Link to={`/operator/adjustments/${id}`} className={styles.link} data-row>
          {adjustmentKindWords[kind]}
        </Link>
        <div className={styles.second}>{adjustment.customerName ?? "The house"}</div>
        <RowFlags kinds={flags} />
      </Table.Td>
      <Table.Td className={styles.number}>
        <Amount units={units} asset={asset} />
        {adjustment.reversedBy ? <div className={styles.second}>taken back</div> : null}
      </Table.Td>
      <Table.Td>{decidedAt ? <When at={decidedAt} /> : <Age at={proposedAt} now={now} />}</Table.Td>
      <Table.Td>{nameOf(adjustment.proposedBy, adjustment.proposerName)}</Table.Td>
      {decidedAt ? (
        <Table.Td>{nameOf(adjustment.decidedBy, adjustment.deciderName)}</Table.Td>
      ) : null}
      <Table.Td>
        <span className={styles.reason}>{rejectionReason ?? reason}</span>
      </Table.Td>
    </Table.Tr>
  );
}
