import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { formatDay } from "#core/utc-day.ts";
import { chainNames } from "#core/wallet/wallet-terms.ts";
import type { Standing } from "#server/console/today/read-standing.ts";
import { counted } from "../parts/counted.ts";
import { PayoutState } from "../payouts/payout-table.tsx";
import { stateOfBatch } from "../withdrawals/batch-words.ts";
import styles from "./today.module.css";

interface MovedPanelProps {
  /** Null: not for this role. */
  payouts: { listed: Standing["payouts"]; nextDay: Standing["nextDay"] } | null;
  batches: Standing["batches"] | null;
}

/** What pools paid for the last day and what was recorded today; batches that go on, and those of today. */
export function MovedPanel({ payouts, batches }: MovedPanelProps) {
  return (
    <Panel
      title={payouts && batches ? "Payouts and batches" : payouts ? "Payouts" : "Batches"}
      flush
    >
      <ul className={layout.plain}>
        {payouts?.listed.map(({ id, day, pool, units, state }) => (
          <li key={id} className={styles.line}>
            <Link
              to={`/operator/payouts/${id}`}
              className={`${styles.link} ${styles.lineLink}`}
              data-row
            >
              {pool}, {formatDay(day)}
            </Link>
            <span className={styles.since}>
              <Amount units={units} asset="BTC" />
            </span>
            <PayoutState payout={{ state, correctedBy: null }} />
          </li>
        ))}
        {payouts && payouts.listed.length === 0 ? (
          <li className={styles.line}>
            <span className={layout.quiet}>{noPayout(payouts.nextDay)}</span>
          </li>
        ) : null}
        {batches?.map((batch) => (
          <li key={batch.id} className={styles.line}>
            <Link
              to={`/operator/withdrawals/batches/${batch.id}`}
              className={`${styles.link} ${styles.lineLink}`}
              data-row
            >
              {chainNames[batch.chain]} batch of {formatDay(batch.day)}
            </Link>
            <span className={styles.since}>{counted(batch.payments, "payment")}</span>
            <StatusBadge
              {...stateOfBatch({
                ...batch,
                isOrdered: batch.orderedAt !== null,
                endedAt: null,
                ending: null,
              })}
            />
          </li>
        ))}
        {batches?.length === 0 ? (
          <li className={styles.line}>
            <span className={layout.quiet}>No batch today.</span>
          </li>
        ) : null}
      </ul>
    </Panel>
  );
}

function noPayout(nextDay: Standing["nextDay"]): string {
  if (!nextDay) return "No pool counts yet.";
  const { day, missing } = nextDay;
  if (missing.length === 0) return "No payout today.";
  return `No payout today: ${formatDay(day)} waits for ${missing.join(", ")}.`;
}
