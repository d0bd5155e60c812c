import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { appContext } from "#server/app-context.ts";
import { isId } from "#server/console/is-id.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { payoutStates } from "#server/payouts/payout.ts";
import { listPayouts, listPulls, type Payout } from "#server/payouts/queries.ts";
import { ConsoleError } from "../console-error.tsx";
import { listKeys } from "../console-keys.ts";
import list from "../console-list.module.css";
import tabs from "../tabs.module.css";
import type { Route } from "./+types/payouts";
import { PayoutTabs } from "./payout-tabs.tsx";

const pageSize = 60;

export const middleware: Route.MiddlewareFunction[] = [requirePermission("payouts/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Payouts");
export const handle = { keys: listKeys };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const params = new URL(request.url).searchParams;
  const state = payoutStates.find((known) => known === params.get("state"));
  const asked = params.get("after") ?? undefined;
  const after = isId(asked ?? "") ? asked : undefined;
  const [payouts, waiting, pulls] = await Promise.all([
    listPayouts(db, { ...(state && { state }), after, limit: pageSize + 1 }),
    listPayouts(db, { state: "proposed", limit: 100 }),
    listPulls(db),
  ]);
  return {
    state: state ?? null,
    waiting,
    payouts: payouts.slice(0, pageSize),
    after: payouts.length > pageSize ? (payouts[pageSize - 1]?.id ?? null) : null,
    differences: pulls.flatMap(({ differences, poolName }) =>
      differences.map((difference) => ({ ...difference, poolName })),
    ),
  };
}

export default function Payouts({ loaderData }: Route.ComponentProps) {
  const { state, waiting, payouts, after, differences } = loaderData;
  return (
    <>
      <PageHeader
        title="Payouts"
        description="What the pools paid for each UTC day. Nothing is credited to customers that does not stand here with its evidence."
      />
      <PayoutTabs />
      {differences.length > 0 ? (
        <Notice tone="warning" title="A pool says otherwise now than is recorded">
          <ul>
            {differences.map(({ payoutId, day, poolName, sats, deliveredGhs }) => (
              <li key={payoutId}>
                <Link to={`/operator/payouts/${payoutId}`}>
                  {poolName}, {day}
                </Link>
                : now <Amount units={sats} asset="BTC" plain /> at{" "}
                {formatHashrate(BigInt(deliveredGhs))}. Look, and correct it if the pool is right.
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {state === null && waiting.length > 0 ? (
        <>
          <h2 className={list.second}>Waiting for a person</h2>
          <PayoutTable payouts={waiting} label="Payouts that wait for a person" />
        </>
      ) : null}
      <nav className={tabs.tabs} aria-label="Payouts by state">
        {(
          [
            [null, "All"],
            ["proposed", "Waiting"],
            ["recorded", "Recorded"],
            ["refused", "Refused"],
          ] as const
        ).map(([value, name]) => (
          <Link
            key={name}
            to={value ? `/operator/payouts?state=${value}` : "/operator/payouts"}
            className={tabs.tab}
            aria-current={value === state ? "page" : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      {payouts.length === 0 ? (
        <EmptyState drawing="balance">
          {state
            ? "No payout is in this state."
            : "No payout yet. Add the pool first, then enter what it paid or import its file."}
        </EmptyState>
      ) : (
        <>
          <PayoutTable payouts={payouts} label="Payouts, newest day first" />
          <OlderNewer after={after}>Newest day first</OlderNewer>
        </>
      )}
    </>
  );
}

export function PayoutTable({ payouts, label }: { payouts: Payout[]; label: string }) {
  return (
    <DataTable label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Day</Table.Th>
          <Table.Th>Pool</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th className={list.number}>Paid</Table.Th>
          <Table.Th className={list.number}>Delivered</Table.Th>
          <Table.Th>Evidence</Table.Th>
          <Table.Th>Proposed</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {payouts.map((payout) => (
          <Table.Tr key={payout.id} className={list.row}>
            <Table.Td>
              <Link to={`/operator/payouts/${payout.id}`} className={list.link} data-row>
                {payout.day}
              </Link>
              {payout.corrects ? <div className={list.second}>a correction</div> : null}
            </Table.Td>
            <Table.Td>{payout.poolName}</Table.Td>
            <Table.Td>
              <PayoutState payout={payout} />
            </Table.Td>
            <Table.Td className={list.number}>
              <Amount units={payout.units} asset="BTC" />
            </Table.Td>
            <Table.Td className={list.number}>{formatHashrate(payout.deliveredGhs)}</Table.Td>
            <Table.Td>
              {payout.txid ? <code>{payout.txid.slice(0, 12)}…</code> : null}
              {payout.statementName ? (
                <div className={list.second}>{payout.statementName}</div>
              ) : null}
            </Table.Td>
            <Table.Td>
              <When at={payout.proposedAt} />
              <div className={list.second}>{payout.proposedBy ?? "by the worker"}</div>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

export function PayoutState({ payout }: { payout: Pick<Payout, "state" | "correctedBy"> }) {
  if (payout.correctedBy) return <StatusBadge status="corrected" tone="plain" />;
  const tones = { proposed: "waiting", recorded: "good", refused: "bad" } as const;
  const words = { proposed: "waiting", recorded: "recorded", refused: "refused" } as const;
  return <StatusBadge status={words[payout.state]} tone={tones[payout.state]} />;
}
