import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { formatHashrate } from "#core/mining/hashrate.ts";
import type { Payout } from "#server/payouts/select-payouts.ts";
import list from "../parts/console-list.module.css";

interface PayoutTableProps {
  payouts: Payout[];
  label: string;
  /** Inside a panel. */
  bare?: boolean;
  /** Whether its heads sort it: these are all there are, and no other table of the page does. */
  sorts?: boolean;
  /** What all of them have in common, and the page says already. */
  without?: "pool" | "evidence";
}

export function PayoutTable(props: PayoutTableProps) {
  const { payouts, label, bare = false, sorts = false, without } = props;
  return (
    <DataTable
      label={label}
      bare={bare}
      rows={payouts}
      rowKey={(payout) => payout.id}
      rowClass={list.row}
      whole={sorts}
      columns={[
        {
          head: "Day",
          sort: { column: "day", first: "desc", by: (payout) => payout.day },
          cellClass: list.day,
          cell: (payout) => (
            <>
              <Link to={`/operator/payouts/${payout.id}`} className={list.link} data-row>
                {payout.day}
              </Link>
              {payout.corrects ? <div className={list.second}>a correction</div> : null}
            </>
          ),
        },
        without === "pool"
          ? null
          : {
              head: "Pool",
              sort: { column: "pool", by: (payout) => payout.poolName },
              cell: (payout) => payout.poolName,
            },
        { head: "State", cell: (payout) => <PayoutState payout={payout} /> },
        {
          head: "Paid",
          sort: { column: "paid", first: "desc", by: (payout) => payout.units },
          className: list.number,
          cell: (payout) => <Amount units={payout.units} asset="BTC" />,
        },
        {
          head: "Delivered",
          sort: { column: "delivered", first: "desc", by: (payout) => payout.deliveredGhs },
          className: list.number,
          cell: (payout) => formatHashrate(payout.deliveredGhs),
        },
        without === "evidence"
          ? null
          : { head: "Evidence", cell: (payout) => <Evidence payout={payout} /> },
        {
          head: "Proposed",
          sort: { column: "proposed", first: "desc", by: (payout) => payout.proposedAt },
          cell: (payout) => (
            <>
              <When at={payout.proposedAt} />
              <div className={list.second}>{payout.proposedBy ?? "by the worker"}</div>
            </>
          ),
        },
      ]}
    />
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
