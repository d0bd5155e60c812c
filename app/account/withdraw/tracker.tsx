import { useRefresh } from "#app/ui/figures/use-refresh.ts";
import { Check } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import { chainOf, type WithdrawalState, withdrawalTerms } from "#core/payments/withdrawal.ts";
import type { WithdrawalCase } from "#server/withdrawals/find-withdrawal.ts";
import styles from "./withdraw.module.css";

/** The states of a withdrawal that goes well, in their order. */
const steps = [
  ["requested", "Requested"],
  ["confirmed", "Confirmed by you"],
  ["approved", "Approved"],
  ["batched", "In batch"],
  ["broadcast", "Sent"],
  ["settled", "Confirmed"],
] as const satisfies [WithdrawalState, string][];

/** How often a page whose payment is on its way is read again. */
const refreshMs = 30_000;

interface TrackerProps {
  withdrawal: WithdrawalCase;
  /** How far the chain was read; null: nowhere. */
  tipHeight: number | null;
}

/** How far a withdrawal is, and how many blocks confirm it. Nothing for one that ended before it left. */
export function Tracker({ withdrawal, tipHeight }: TrackerProps) {
  const { state } = withdrawal;
  useRefresh(state === "broadcast" ? refreshMs : null);
  const reached = steps.findIndex(([each]) => each === state);
  if (reached < 0) return null;
  return (
    <Panel>
      <ol className={styles.tracker} aria-label="Progress of this withdrawal">
        {steps.map(([each, name], index) => (
          <li
            key={each}
            className={index <= reached ? styles.reached : undefined}
            aria-current={index === reached ? "step" : undefined}
          >
            <span className={styles.dot}>
              {index <= reached ? <Check size={14} aria-hidden="true" /> : null}
            </span>
            {name}
            {index <= reached ? <VisuallyHidden>: done</VisuallyHidden> : null}
          </li>
        ))}
      </ol>
      {state === "broadcast" ? (
        <Confirmations withdrawal={withdrawal} tipHeight={tipHeight} />
      ) : null}
    </Panel>
  );
}

function Confirmations({ withdrawal: { minedHeight, asset }, tipHeight }: TrackerProps) {
  if (minedHeight === null) {
    return <p className={styles.confirmations}>Waiting for its first block.</p>;
  }
  const needed = withdrawalTerms.confirmations;
  const seen = Math.max(1, (tipHeight ?? minedHeight) - minedHeight + 1);
  if (chainOf[asset] !== "bitcoin") {
    return (
      <p className={styles.confirmations}>
        {seen} {seen === 1 ? "confirmation" : "confirmations"}, final in about 15 minutes.
      </p>
    );
  }
  const shown = Math.min(seen, needed);
  return (
    <p className={styles.confirmations}>
      <progress value={shown} max={needed} aria-label="Confirmations" />
      {shown} of {needed} confirmations
    </p>
  );
}
