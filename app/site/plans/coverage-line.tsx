import { Notice } from "#app/ui/notice.tsx";
import { coverageWords } from "#core/custody-count.ts";
import type { Coverage } from "#server/reconciliation/queries.ts";
import styles from "./plans.module.css";

/** Whether the coins of customers are there: per coin what was counted, and when. Where one is short, nothing is sold. */
export function CoverageLine({ coverage }: { coverage: Coverage[] }) {
  const short = coverage.filter(({ units, custodyUnits }) => units < custodyUnits);
  if (short.length > 0) {
    return (
      <div className={styles.stopped}>
        <Notice tone="warning" title="Nothing is sold at the moment">
          Our wallets were counted, and less lies in them than our books say: {listed(short)}. No
          contract is sold until everything is covered. Withdrawals go on.
        </Notice>
      </div>
    );
  }
  return (
    <p className={styles.coverage}>
      {coverage.length === 0
        ? "Our wallets have not been counted yet, so nobody can check that all coins of customers are in them."
        : `Coins in our wallets, of those that our books say are there: ${listed(coverage)}. Below 100 % nothing is sold.`}
    </p>
  );
}

function listed(coverage: Coverage[]): string {
  return coverage
    .map(({ asset, units, custodyUnits, asOf }) => {
      const at = new Date(asOf).toISOString().slice(0, 16).replace("T", " ");
      return `${asset} ${coverageWords(units, custodyUnits)} (${at} UTC)`;
    })
    .join(", ");
}
