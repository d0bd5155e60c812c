import { formatUtc } from "#app/ui/figures/format-time.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import { coverageWords } from "#core/payments/custody-count.ts";
import type { Coverage } from "#server/reconciliation/list-coverage.ts";
import styles from "./plans.module.css";

/** Whether customers' coins are there: per coin what was counted, and when. Where one is short, nothing is sold. */
export function CoverageLine({ coverage }: { coverage: Coverage[] }) {
  const short = coverage.filter(({ units, custodyUnits }) => units < custodyUnits);
  if (short.length > 0) {
    return (
      <div className={styles.stopped}>
        <Notice tone="warning" title="Sales are paused">
          A wallet count found less than our records show: {listed(short)}. We sell no contract
          until everything is covered. Withdrawals continue.
        </Notice>
      </div>
    );
  }
  return (
    <p className={styles.coverage}>
      {coverage.length === 0
        ? "Our wallets have not been counted yet, so we cannot show that all customers' coins are in them."
        : `Coins counted in our wallets, as a share of what our records show: ${listed(coverage)}. Below 100 % we sell nothing.`}
    </p>
  );
}

function listed(coverage: Coverage[]): string {
  return coverage
    .map(({ asset, units, custodyUnits, asOf }) => {
      return `${asset} ${coverageWords(units, custodyUnits)} (${formatUtc(asOf)})`;
    })
    .join(", ");
}
