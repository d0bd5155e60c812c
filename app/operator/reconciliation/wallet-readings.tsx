import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import type { Coin } from "#core/asset.ts";
import type { WalletReading } from "#server/reconciliation/list-wallet-readings.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { Difference } from "./difference.tsx";
import own from "./reconciliation.module.css";

/** What the node said lies in the wallets that are known here: for who counts, and for who checks a count. */
export function WalletReadings({
  readings,
  mayCount = false,
}: {
  readings: WalletReading[];
  /** Whether the form of a count can be filled from it. */
  mayCount?: boolean;
}) {
  const filled = readingToCount(readings);
  if (readings.length === 0) {
    return (
      <p className={styles.empty}>
        Once a day we ask our Bitcoin node what is in the wallets whose public keys are known here.
        No node has answered yet.
      </p>
    );
  }
  return (
    <>
      <p className={styles.empty}>
        The node's own answer for the wallets whose public keys are known here, read once a day and
        whenever you ask. It neither stops nor resumes sales, because other wallets may hold coins,
        too. A count that says less than this is wrong.
      </p>
      <ConsoleTable
        label="What is in each wallet, read by the node"
        bare
        rows={readings}
        rowKey={(each) => each.walletId}
        columns={[
          {
            head: "Wallet",
            foot: "Together",
            cell: (each) => <code className={own.wallet}>{shorten(each.descriptor)}</code>,
            second: (each) => (
              <>
                {each.outputs} unspent {each.outputs === 1 ? "output" : "outputs"}
              </>
            ),
          },
          {
            head: "In it",
            kind: "number",
            foot: <Amount units={sumOfReadings(readings, "BTC") ?? 0n} asset="BTC" />,
            cell: (each) => <Amount units={each.units} asset={each.asset} />,
          },
          {
            head: "Ledger then",
            kind: "number",
            foot: filled ? (
              <Difference units={filled.units - filled.custodyUnits} asset="BTC" />
            ) : null,
            cell: (each) => <Amount units={each.custodyUnits} asset={each.asset} />,
          },
          {
            head: "Read",
            foot:
              filled && mayCount ? (
                <Link to="/operator/reconciliation/new?from=node">Fill a count from this</Link>
              ) : null,
            value: "readAt",
            second: (each) => `block ${each.blockHeight}`,
          },
        ]}
      />
    </>
  );
}

/** What moves from a wallet that was read into one that is read later would be counted twice. */
const togetherMs = 3_600_000;

/** The readings as one figure of bitcoin, of the moment at which the last wallet was read; null: they are not of one moment. */
export function readingToCount(readings: WalletReading[]) {
  const byTime = readings
    .filter(({ asset }) => asset === "BTC")
    .sort((a, b) => b.readAt.getTime() - a.readAt.getTime());
  const [newest, oldest] = [byTime[0], byTime.at(-1)];
  if (!newest || !oldest || +newest.readAt - +oldest.readAt > togetherMs) return null;
  const { readAt, blockHeight, custodyUnits } = newest;
  const wallets = readings.map(({ descriptor }) => shorten(descriptor)).join(", ");
  const units = sumOfReadings(readings, "BTC") ?? 0n;
  return { units, custodyUnits, readAt, blockHeight, wallets };
}

/** What was last read of all wallets of a coin, in its smallest unit; null: none of it was read. */
export function sumOfReadings(readings: WalletReading[], coin: Coin): bigint | null {
  const ofCoin = readings.filter(({ asset }) => asset === coin);
  return ofCoin.length === 0 ? null : ofCoin.reduce((sum, { units }) => sum + units, 0n);
}

function shorten(descriptor: string): string {
  return descriptor.length <= 44
    ? descriptor
    : `${descriptor.slice(0, 30)}…${descriptor.slice(-12)}`;
}
