import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { useRefresh } from "#app/ui/figures/use-refresh.ts";
import { Age } from "#app/ui/figures/when.tsx";
import { Worth } from "#app/ui/figures/worth.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { coinOfMethod, type DepositState, depositStates } from "#core/payments/deposit.ts";
import {
  type DecidedDeposit,
  listDecidedDeposits,
} from "#server/console/deposits/list-decided-deposits.ts";
import {
  listPendingDeposits,
  type PendingDeposit,
} from "#server/deposits/list-pending-deposits.ts";
import { listKeys } from "../console-keys.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { ProposalState } from "../parts/proposal-state.tsx";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { readRowFlags } from "../parts/read-flags.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { RowFlags } from "../parts/row-flags.tsx";
import { StateTabs } from "../parts/tabs.tsx";
import type { Route } from "./+types/list";

const pageSize = 50;
/** How often a queue that somebody looks at is read again. */
const refreshMs = 30_000;

export const middleware = guard("deposits/read");
export const meta = titled("Deposits");
export const handle = { keys: listKeys };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
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
    <ConsoleTable
      label="Deposits waiting, oldest first"
      rows={deposits}
      whole={whole}
      rowKey={(deposit) => deposit.depositId}
      columns={[
        {
          head: "Customer",
          sort: "customer",
          value: "customerLastName",
          cell: (deposit) => (
            <>
              <Link to={`/operator/deposits/${deposit.depositId}`} className={styles.link} data-row>
                {deposit.customerFirstName} {deposit.customerLastName}
              </Link>
              <div className={styles.second}>{deposit.customerEmail}</div>
              {deposit.isProposed ? <ProposalState state="open" /> : null}
              <RowFlags kinds={flags[deposit.customerId]} />
            </>
          ),
        },
        {
          head: "Waiting since",
          sort: "since",
          value: "createdAt",
          cell: (deposit) => <Age at={deposit.createdAt} now={now} />,
        },
        {
          head: "Claim",
          kind: "number",
          sort: "-usd",
          value: "claimedUsdCents",
          cell: (deposit) => <Worth cents={deposit.claimedUsdCents} />,
        },
        { head: "Method", sort: "method", value: "method" },
        { head: "Slip", cell: (deposit) => <SlipFlag {...deposit} /> },
        { head: "Declared for", kind: "day", value: "declaredOn" },
      ]}
    />
  );
}

function Decided({ deposits, whole }: { deposits: DecidedDeposit[]; whole: boolean }) {
  return (
    <ConsoleTable
      label="Deposits decided, newest decision first"
      rows={deposits}
      whole={whole}
      rowKey={(deposit) => deposit.depositId}
      columns={[
        {
          head: "Customer",
          sort: "customer",
          value: "customerName",
          to: (deposit) => `/operator/deposits/${deposit.depositId}`,
        },
        { head: "Method", sort: "method", value: "method" },
        {
          head: "USD amount",
          kind: "number",
          sort: "-usd",
          value: "usdCents",
          cell: (deposit) => <Worth cents={deposit.usdCents} />,
          second: (deposit) =>
            deposit.claimedUsdCents === null ||
            deposit.usdCents === deposit.claimedUsdCents ? null : (
              <>
                claimed <Usd cents={deposit.claimedUsdCents} />
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
        { head: "Decided", sort: "-decided", value: "reviewedAt" },
      ]}
    />
  );
}

interface SlipFlagProps {
  slipMediaType: "image/jpeg" | "application/pdf";
  sameFileCount: number;
}

/** What is known of a slip at a glance: picture or PDF, and whether it was used before. */
function SlipFlag({ slipMediaType, sameFileCount }: SlipFlagProps) {
  if (sameFileCount > 0) return <StatusBadge status="same file used" tone="bad" />;
  const kind = slipMediaType === "application/pdf" ? "PDF" : "Picture";
  return <span className={styles.second}>{kind}</span>;
}
