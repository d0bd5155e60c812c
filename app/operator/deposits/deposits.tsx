import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { useRefresh } from "#app/ui/figures/use-refresh.ts";
import { Age, When } from "#app/ui/figures/when.tsx";
import { Worth } from "#app/ui/figures/worth.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { coinOfMethod, type DepositState, depositStates } from "#core/payments/deposit.ts";
import { appContext } from "#server/app-context.ts";
import {
  type DecidedDeposit,
  listDecidedDeposits,
} from "#server/console/deposits/list-decided-deposits.ts";
import {
  listPendingDeposits,
  type PendingDeposit,
} from "#server/deposits/list-pending-deposits.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { listKeys } from "../console-keys.ts";
import { ConsoleError } from "../parts/console-error.tsx";
import styles from "../parts/console-list.module.css";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { readRowFlags } from "../parts/read-flags.ts";
import { RowFlags } from "../parts/row-flags.tsx";
import { StateTabs } from "../parts/state-tabs.tsx";
import type { Route } from "./+types/deposits";
import { SlipFlag } from "./slip-flag.tsx";

const pageSize = 50;
/** How often a queue that somebody looks at is read again. */
const refreshMs = 30_000;

export const middleware: Route.MiddlewareFunction[] = [requirePermission("deposits/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Deposits");
export const handle = { keys: listKeys };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const params = new URL(request.url).searchParams;
  const state = depositStates.find((known) => known === params.get("state")) ?? "pending";
  const after = params.get("after") ?? undefined;
  const page = { after, limit: pageSize + 1 };
  const pending = state === "pending" ? await listPendingDeposits(db, page) : [];
  const decided = state === "pending" ? [] : await listDecidedDeposits(db, { state, ...page });
  const shown = state === "pending" ? pending : decided;
  const flags = await readRowFlags(
    context,
    pending.map(({ customerId }) => customerId),
  );
  return {
    state,
    now: now(),
    pending: pending.slice(0, pageSize),
    decided: decided.slice(0, pageSize),
    flags,
    after: shown.length > pageSize ? (shown[pageSize - 1]?.depositId ?? null) : null,
  };
}

export default function DepositsPage({ loaderData }: Route.ComponentProps) {
  const { state, now, pending, decided, flags, after } = loaderData;
  useRefresh(refreshMs);
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Deposits"
      file="deposits"
      tools={
        <StateTabs
          label="Deposits by state"
          page="/operator/deposits"
          states={tabNames}
          state={state === "pending" ? null : state}
        />
      }
      empty={pending.length + decided.length === 0 ? <NoDeposits state={state} /> : null}
      order={state === "pending" ? "Oldest first" : "Newest decision first"}
      after={after}
    >
      {state === "pending" ? (
        <Waiting deposits={pending} flags={flags} now={now} whole={whole} />
      ) : (
        <Decided deposits={decided} whole={whole} />
      )}
    </QueuePage>
  );
}

const tabNames: [DepositState | null, string][] = [
  [null, "Waiting"],
  ["approved", "Approved"],
  ["rejected", "Rejected"],
  ["reversed", "Taken back"],
];

function NoDeposits({ state }: { state: DepositState }) {
  if (state === "pending") {
    return (
      <EmptyState drawing="balance">
        Nothing waits. New deposits appear here automatically.
      </EmptyState>
    );
  }
  const what = state === "reversed" ? "taken back" : state;
  return <EmptyState drawing="touchstone">No deposit has been {what} yet.</EmptyState>;
}

interface WaitingProps {
  deposits: PendingDeposit[];
  flags: Route.ComponentProps["loaderData"]["flags"];
  now: Date;
  whole: boolean;
}

function Waiting({ deposits, flags, now, whole }: WaitingProps) {
  return (
    <DataTable
      label="Deposits waiting, oldest first"
      rows={deposits}
      whole={whole}
      rowKey={(deposit) => deposit.depositId}
      rowClass={styles.row}
      columns={[
        {
          head: "Customer",
          sort: { column: "customer", by: (deposit) => deposit.customerLastName },
          cell: (deposit) => (
            <>
              <Link to={`/operator/deposits/${deposit.depositId}`} className={styles.link} data-row>
                {deposit.customerFirstName} {deposit.customerLastName}
              </Link>
              <div className={styles.second}>{deposit.customerEmail}</div>
              <RowFlags kinds={flags[deposit.customerId]} />
            </>
          ),
        },
        {
          head: "Waiting since",
          sort: { column: "since", by: (deposit) => deposit.createdAt },
          cell: (deposit) => <Age at={deposit.createdAt} now={now} />,
        },
        {
          head: "Claim",
          className: styles.number,
          sort: { column: "usd", first: "desc", by: (deposit) => deposit.claimedUsdCents },
          cell: (deposit) => <Worth cents={deposit.claimedUsdCents} />,
        },
        {
          head: "Method",
          sort: { column: "method", by: (deposit) => deposit.method },
          cell: (deposit) => deposit.method,
        },
        { head: "Slip", cell: (deposit) => <SlipFlag {...deposit} /> },
        { head: "Declared for", cellClass: styles.day, cell: (deposit) => deposit.declaredOn },
      ]}
    />
  );
}

function Decided({ deposits, whole }: { deposits: DecidedDeposit[]; whole: boolean }) {
  return (
    <DataTable
      label="Deposits decided, newest decision first"
      rows={deposits}
      whole={whole}
      rowKey={(deposit) => deposit.depositId}
      rowClass={styles.row}
      columns={[
        {
          head: "Customer",
          sort: { column: "customer", by: (deposit) => deposit.customerName },
          cell: (deposit) => (
            <Link to={`/operator/deposits/${deposit.depositId}`} className={styles.link} data-row>
              {deposit.customerName}
            </Link>
          ),
        },
        {
          head: "Method",
          sort: { column: "method", by: (deposit) => deposit.method },
          cell: (deposit) => deposit.method,
        },
        {
          head: "USD amount",
          className: styles.number,
          sort: { column: "usd", first: "desc", by: (deposit) => deposit.usdCents },
          cell: (deposit) => (
            <>
              <Worth cents={deposit.usdCents} />
              {deposit.claimedUsdCents === null ||
              deposit.usdCents === deposit.claimedUsdCents ? null : (
                <div className={styles.second}>
                  claimed <Usd cents={deposit.claimedUsdCents} />
                </div>
              )}
            </>
          ),
        },
        {
          head: "Outcome",
          cell: (deposit) =>
            deposit.quantityUnits === null ? (
              <span className={styles.reason}>{deposit.rejectionReason}</span>
            ) : (
              <Amount units={deposit.quantityUnits} asset={coinOfMethod[deposit.method]} />
            ),
        },
        { head: "Decided by", cell: (deposit) => deposit.reviewerName ?? "Its payment" },
        {
          head: "Decided",
          sort: { column: "decided", first: "desc", by: (deposit) => deposit.reviewedAt },
          cell: (deposit) => <When at={deposit.reviewedAt} />,
        },
      ]}
    />
  );
}
