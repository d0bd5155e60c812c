import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import type { Payout } from "#server/payouts/select-payouts.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";

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
    <ConsoleTable
      label={label}
      bare={bare}
      rows={payouts}
      whole={sorts}
      columns={[
        {
          head: "Day",
          kind: "day",
          sort: "-day",
          value: "day",
          to: (payout) => `/operator/payouts/${payout.id}`,
          second: (payout) => (payout.corrects ? "a correction" : null),
        },
        without === "pool" ? null : { head: "Pool", sort: "pool", value: "poolName" },
        { head: "State", cell: (payout) => <PayoutState payout={payout} /> },
        { head: "Paid", sort: "-paid", value: "units", format: "btc" },
        { head: "Delivered", sort: "-delivered", value: "deliveredGhs", format: "hashrate" },
        without === "evidence"
          ? null
          : { head: "Evidence", cell: (payout) => <Evidence payout={payout} /> },
        {
          head: "Proposed",
          sort: "-proposed",
          value: "proposedAt",
          second: (payout) => payout.proposedBy ?? "by the worker",
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
