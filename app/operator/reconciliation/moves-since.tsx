import { Amount } from "#app/ui/figures/amount.tsx";
import type { CustodyMove, MoveSince } from "#server/console/reconciliation/list-moves-since.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";

const words: Record<CustodyMove, [what: string, folder: string]> = {
  deposit: ["Deposit", "deposits"],
  "deposit-reversal": ["Credit of a deposit reversed", "deposits"],
  withdrawal: ["Withdrawal", "withdrawals"],
  "network-fee": ["Network fee of a batch", "withdrawals/batches"],
  payout: ["Payout of a pool", "payouts"],
  "payout-correction": ["Correction of a payout", "payouts"],
  "equity-funding": ["Own money paid in", "adjustments"],
  "equity-drawing": ["Own money taken out", "adjustments"],
  "wallet-transfer": ["Fee between own wallets", "adjustments"],
  reversal: ["Reversal of own money", "adjustments"],
};

interface MovesSinceProps {
  moves: MoveSince[];
  /** How many are shown at most. */
  limit: number;
}

/** What the ledger says moved each coin since that was counted, or in a week if it never was: where a difference is looked for first. */
export function MovesSince({ moves, limit }: MovesSinceProps) {
  if (moves.length === 0) {
    return (
      <p className={styles.empty}>
        No coin has moved since it was counted, or in a week if it never was.
      </p>
    );
  }
  return (
    <>
      <p className={styles.empty}>
        What the ledger says came in and went out of each coin since it was counted, or in a week if
        it never was. A difference is often one of these, or one that is missing here.
        {moves.length === limit ? ` The newest ${limit} are shown.` : null}
      </p>
      <ConsoleTable
        label="What moved coins, newest first"
        bare
        rows={moves}
        rowKey={({ what, id, asset }) => `${what} ${id} ${asset}`}
        columns={[
          {
            head: "What",
            to: ({ what, id }) => `/operator/${words[what][1]}/${id}`,
            cell: ({ what }) => words[what][0],
          },
          {
            head: "In or out",
            kind: "number",
            cell: ({ asset, units }) => <Amount units={units} asset={asset} signed />,
          },
          { head: "When", value: "at" },
        ]}
      />
    </>
  );
}
