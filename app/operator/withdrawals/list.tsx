import { TextField } from "#app/ui/controls/text-field.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { Age, When } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { titled } from "#app/ui/page/page-title.ts";
import filters from "#app/ui/tables/filter-form.module.css";
import { FilterForm } from "#app/ui/tables/filter-form.tsx";
import {
  listWithdrawalQueue,
  type QueuedWithdrawal,
  type WithdrawalQueue,
  withdrawalQueues,
} from "#server/withdrawals/list-withdrawal-queue.ts";
import { listKeys } from "../console-keys.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { searchText } from "../parts/search-text.ts";
import type { Route } from "./+types/list";
import { WithdrawalBadge } from "./withdrawal-badge.tsx";
import { WithdrawalTabs } from "./withdrawal-tabs.tsx";
import own from "./withdrawals.module.css";

const pageSize = 50;

export const middleware = guard("withdrawals/read");
export const meta = titled("Withdrawals");
export const handle = { keys: [...listKeys, { key: "/", does: "search" }] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const params = new URL(request.url).searchParams;
  const known = Object.keys(withdrawalQueues) as WithdrawalQueue[];
  const queue = known.find((each) => each === params.get("state")) ?? "confirmed";
  const search = searchText(params, "q");
  const after = params.get("after") ?? undefined;
  const at = now();
  const found = await listWithdrawalQueue(db, { queue, search, after, limit: pageSize + 1 }, at);
  const shown = found.slice(0, pageSize);
  return {
    queue,
    search,
    now: at,
    withdrawals: shown,
    after: found.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
  };
}

export default function WithdrawalsPage({ loaderData }: Route.ComponentProps) {
  const { queue, search, withdrawals, after, now } = loaderData;
  const isDone = queue === "settled" || queue === "ended";
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Withdrawals"
      description="You approve here what customers have confirmed. Requests of one UTC day leave in the next day's batch."
      file="withdrawals"
      tools={
        <>
          <WithdrawalTabs current={queue} />
          <FilterForm label="Filter withdrawals">
            {queue === "confirmed" ? null : <input type="hidden" name="state" value={queue} />}
            <TextField
              key={`${queue}-${search}`}
              type="search"
              name="q"
              label="Customer or address"
              defaultValue={search}
              className={filters.middle}
              data-key="/"
            />
          </FilterForm>
        </>
      }
      empty={
        withdrawals.length === 0 ? (
          <EmptyState drawing="balance">
            {search ? "No withdrawal matches." : empty[queue]}
          </EmptyState>
        ) : null
      }
      order={isDone ? "Newest first" : "Oldest first"}
      after={after}
    >
      <Rows withdrawals={withdrawals} now={now} isDone={isDone} whole={whole} />
    </QueuePage>
  );
}

const empty: Record<WithdrawalQueue, string> = {
  confirmed: "No withdrawal is waiting for a decision.",
  requested: "No withdrawal is waiting to be confirmed by mail.",
  approved: "Nothing waits for a batch.",
  leaving: "Nothing is on its way.",
  settled: "Nothing was confirmed on chain yet.",
  ended: "Nothing was cancelled, rejected or returned.",
};

interface RowsProps {
  withdrawals: QueuedWithdrawal[];
  now: Date;
  isDone: boolean;
  whole: boolean;
}

function Rows({ withdrawals, now, isDone, whole }: RowsProps) {
  return (
    <ConsoleTable
      label={isDone ? "Withdrawals, newest first" : "Withdrawals, oldest first"}
      rows={withdrawals}
      whole={whole}
      columns={[
        {
          head: "Customer",
          sort: "customer",
          value: "customerName",
          to: (each) => `/operator/withdrawals/${each.id}`,
          second: (each) => each.customerEmail,
        },
        {
          head: "Arrives",
          kind: "number",
          cell: (each) => <Amount units={each.units - each.feeUnits} asset={each.asset} />,
        },
        { head: "State", cell: (each) => <WithdrawalBadge {...each} /> },
        {
          head: isDone ? "Ended" : "Asked for",
          kind: "day",
          sort: "since",
          value: (each) => each.endedAt ?? each.requestedAt,
          cell: (each) =>
            each.endedAt ? <When at={each.endedAt} /> : <Age at={each.requestedAt} now={now} />,
        },
        { head: "Leaves on", kind: "day", sort: "due", value: "dueOn" },
        {
          head: "Address",
          cell: (each) => <code className={`${layout.fine} ${own.whole}`}>{each.address}</code>,
        },
      ]}
    />
  );
}
