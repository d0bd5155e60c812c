import { Link } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import styles from "./payments.module.css";
import type { ShownPayment } from "./read-payments.ts";

/** The status of one payment: its confirmations, or what became of it. */
export function PaymentLine({ payment }: { payment: ShownPayment }) {
  const { txid, units, asset, seenAt, depositId, needed } = payment;
  const { word, tone, says } = standingOf(payment);
  return (
    <li className={styles.payment}>
      <div className={layout.spread}>
        <strong>
          <Amount units={units} asset={asset} />
        </strong>
        <StatusBadge status={word} tone={tone} />
      </div>
      {payment.state === "mined" && !payment.settledAt ? (
        <Progress needed={needed} confirmations={payment.confirmations} />
      ) : null}
      <p className={styles.says}>
        {says}{" "}
        {depositId ? <Link to={`/account/deposit/${depositId}`}>See the deposit</Link> : null}
      </p>
      <CopyField text={txid} label="transaction id" short />
      <p className={styles.seen}>
        First seen <When at={seenAt} />
      </p>
    </li>
  );
}

/** A block becomes final by a vote, not by a number of others: there is nothing to measure a bar by. */
function Progress({ needed, confirmations }: Pick<ShownPayment, "needed" | "confirmations">) {
  if (needed === "finalized") {
    return (
      <div className={styles.progress}>
        {confirmations} {confirmations === 1 ? "confirmation" : "confirmations"}, not final yet
      </div>
    );
  }
  const confirmed = Math.min(confirmations, needed);
  return (
    <div className={styles.progress}>
      <progress value={confirmed} max={needed} aria-label="Confirmations" />
      <span>
        {confirmed} of {needed} confirmations
      </span>
    </div>
  );
}

interface Standing {
  word: string;
  tone: "good" | "waiting" | "bad" | "plain";
  says: string;
}

function standingOf(payment: ShownPayment): Standing {
  const { state, settledAt, orphanedAt, needed } = payment;
  const isByFinality = needed === "finalized";
  if (state === "mined" && settledAt) {
    const says = isByFinality
      ? "Its block is final, and it is credited."
      : "It has its confirmations and is credited.";
    return { word: "Credited", tone: "good", says };
  }
  if (state === "mined") {
    return { word: "Confirming", tone: "waiting", says: whenCredited(payment) };
  }
  if (state === "seen") {
    const says = orphanedAt
      ? "The network replaced its block. It waits for another one."
      : "The network knows it. It waits for its first block.";
    return { word: "Seen", tone: "waiting", says };
  }
  if (state === "orphaned") {
    const says =
      "The network replaced its block, and no other block has it now. We reverse the credit; if it confirms again, we credit it again.";
    return { word: "Left the chain", tone: "bad", says };
  }
  const says = "Its sender replaced it before it was in a block: these coins did not arrive.";
  return { word: "Replaced", tone: "bad", says };
}

function whenCredited({ needed, isConfirmed, refusal }: ShownPayment): string {
  if (isConfirmed) {
    const has = needed === "finalized" ? "Its block is final." : "It has its confirmations.";
    return `${has} ${refusal ? "Our staff check it before we credit it." : "We credit it within a minute."}`;
  }
  return needed === "finalized"
    ? "It is in a block. We credit it once the network calls that block final."
    : `It is in a block. We credit it after ${needed} confirmations.`;
}
