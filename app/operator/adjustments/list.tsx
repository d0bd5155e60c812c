import { Link } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Age, When } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import filters from "#app/ui/tables/filter-form.module.css";
import { FilterForm } from "#app/ui/tables/filter-form.tsx";
import { coins } from "#core/asset.ts";
import {
  type AdjustmentState,
  adjustmentKinds,
  adjustmentKindWords,
  adjustmentStates,
} from "#core/payments/adjustments.ts";
import { type ListedAdjustment, listAdjustments } from "#server/adjustments/list-adjustments.ts";
import { listOwnMoney } from "#server/ledger/list-own-money.ts";
import { listKeys } from "../console-keys.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { readRowFlags } from "../parts/read-flags.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { RowFlags } from "../parts/row-flags.tsx";
import { searchText } from "../parts/search-text.ts";
import { StateTabs } from "../parts/tabs.tsx";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/list";
import own from "./adjustments.module.css";

const pageSize = 50;

export const middleware = guard("adjustments/read");
export const meta = titled("Adjustments");
export const handle = {
  keys: [
    ...listKeys,
    { key: "/", does: "search" },
    { key: "p", does: "propose", needs: "adjustments/propose" },
  ],
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, config, now, operator } = consoleOf(context);
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
    operatorId: operator.id,
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
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Adjustments"
      description="The operator's own money: given to customers, paid in, taken out. One person proposes, another decides."
      actions={<Ways />}
      file="adjustments"
      tools={
        <>
          <OwnMoney equity={equity} />
          <StateTabs
            label="Adjustments by state"
            page="/operator/adjustments"
            states={tabNames}
            state={state === "open" ? null : state}
          />
          <Filters state={state} kind={kind} search={search} />
        </>
      }
      empty={
        adjustments.length === 0 ? (
          <Nothing state={state} filtered={kind !== null || search !== ""} />
        ) : null
      }
      order={state === "open" ? "Oldest first" : "Newest decision first"}
      after={after}
    >
      <Adjustments
        adjustments={adjustments}
        flags={flags}
        isQueue={state === "open"}
        now={now}
        operatorId={operatorId}
        whole={whole}
      />
    </QueuePage>
  );
}

function Ways() {
  const may = useMay();
  return (
    <>
      <Link to="/operator/adjustments/own-money">Statement of own money</Link>
      {may("adjustments/propose") ? (
        <Link to="/operator/adjustments/new" data-key="p">
          Propose an adjustment
        </Link>
      ) : null}
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

function OwnMoney({ equity }: Pick<Data, "equity">) {
  return (
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
  );
}

function Filters({ state, kind, search }: Pick<Data, "state" | "kind" | "search">) {
  return (
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
  );
}

const tabNames: [AdjustmentState | null, string][] = [
  [null, "Waiting"],
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

interface AdjustmentsProps extends Pick<Data, "flags" | "now" | "operatorId"> {
  adjustments: ListedAdjustment[];
  isQueue: boolean;
  whole: boolean;
}

function Adjustments(props: AdjustmentsProps) {
  const { adjustments, flags, isQueue, now, operatorId, whole } = props;
  const nameOf = (person: string | null, name: string | null) =>
    person === operatorId ? "You" : name;
  return (
    <ConsoleTable
      label={isQueue ? "Adjustments waiting, oldest first" : "Adjustments, newest decision first"}
      rows={adjustments}
      whole={whole}
      columns={[
        {
          head: "What",
          cellClass: own.what,
          sort: "kind",
          value: ({ kind }) => adjustmentKindWords[kind],
          cell: ({ id, kind, customerId, customerName }) => (
            <>
              <Link to={`/operator/adjustments/${id}`} className={styles.link} data-row>
                {adjustmentKindWords[kind]}
              </Link>
              <div className={styles.second}>{customerName ?? "The house"}</div>
              <RowFlags kinds={flags[customerId ?? ""]} />
            </>
          ),
        },
        {
          head: "Amount",
          kind: "number",
          cell: ({ units, asset }) => <Amount units={units} asset={asset} />,
          second: ({ reversedBy }) => (reversedBy ? "taken back" : null),
        },
        {
          head: isQueue ? "Waiting since" : "Decided",
          sort: "since",
          value: ({ decidedAt, proposedAt }) => decidedAt ?? proposedAt,
          cell: ({ decidedAt, proposedAt }) =>
            decidedAt ? <When at={decidedAt} /> : <Age at={proposedAt} now={now} />,
        },
        {
          head: "Proposed by",
          sort: "proposer",
          value: "proposerName",
          cell: ({ proposedBy, proposerName }) => nameOf(proposedBy, proposerName),
        },
        isQueue
          ? null
          : {
              head: "Decided by",
              sort: "decider",
              value: "deciderName",
              cell: ({ decidedBy, deciderName }) => nameOf(decidedBy, deciderName),
            },
        {
          head: "Reason",
          cell: ({ rejectionReason, reason }) => (
            <span className={styles.reason}>{rejectionReason ?? reason}</span>
          ),
        },
      ]}
    />
  );
}
