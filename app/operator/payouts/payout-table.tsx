import { Link } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { formatHashrate } from "#core/mining/hashrate.ts";
import type { Payout } from "#server/payouts/queries.ts";
import list from "../console-list.module.css";

interface PayoutTableProps {
  payouts: Payout[];
  label: string;
  /** Inside a panel. */
  bare?: boolean;
  /** What all of them have in common, and the page says already. */
  without?: "pool" | "evidence";
}

export function PayoutTable({ payouts, label, bare = false, without }: PayoutTableProps) {
  return (
    <DataTable label={label} bare={bare}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Day</Table.Th>
          {without === "pool" ? null : <Table.Th>Pool</Table.Th>}
          <Table.Th>State</Table.Th>
          <Table.Th className={list.number}>Paid</Table.Th>
          <Table.Th className={list.number}>Delivered</Table.Th>
          {without === "evidence" ? null : <Table.Th>Evidence</Table.Th>}
          <Table.Th>Proposed</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {payouts.map((payout) => (
          <Table.Tr key={payout.id} className={list.row}>
            <Table.Td className={list.day}>
              <Link to={`/operator/payouts/${payout.id}`} className={list.link} data-row>
                {payout.day}
              </Link>
              {payout.corrects ? <div className={list.second}>a correction</div> : null}
            </Table.Td>
            {without === "pool" ? null : <Table.Td>{payout.poolName}</Table.Td>}
            <Table.Td>
              <PayoutState payout={payout} />
            </Table.Td>
            <Table.Td className={list.number}>
              <Amount units={payout.units} asset="BTC" />
            </Table.Td>
            <Table.Td className={list.number}>{formatHashrate(payout.deliveredGhs)}</Table.Td>
            {without === "evidence" ? null : (
              <Table.Td>
                <Evidence payout={payout} />
              </Table.Td>
            )}
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

function Evidence({ payout: { txid, statementName } }: { payout: Payout }) {
  return (
    <>
      {txid ? <code>{txid.slice(0, 12)}…</code> : null}
      {statementName ? <div className={list.second}>{statementName}</div> : null}
    </>
  );
}

export function PayoutState({ payout }: { payout: Pick<Payout, "state" | "correctedBy"> }) {
  if (payout.correctedBy) return <StatusBadge status="corrected" tone="plain" />;
  const tones = { proposed: "waiting", recorded: "good", refused: "bad" } as const;
  const words = { proposed: "waiting", recorded: "recorded", refused: "refused" } as const;
  return <StatusBadge status={words[payout.state]} tone={tones[payout.state]} />;
}
