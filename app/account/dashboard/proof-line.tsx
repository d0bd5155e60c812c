import { useEffect, useState } from "react";
import { Link } from "react-router";
import { formatDay, utcDay } from "#core/utc-day.ts";
import { readKept, writeKept } from "../proof/kept-proof.ts";
import styles from "./balances.module.css";

interface Finding {
  words: string;
  isWrong: boolean;
}

/**
 * Once a day the browser checks by itself that the newest proof of what we owe includes this customer, and says so in a line. What is wrong
 * is looked at again each time.
 */
export function ProofLine({ customerId }: { customerId: string }) {
  const [found, setFound] = useState<Finding | null>(null);
  useEffect(() => {
    let isGone = false;
    void checkDaily(customerId).then((finding) => {
      if (!isGone) setFound(finding);
    });
    return () => {
      isGone = true;
    };
  }, [customerId]);
  return (
    <p className={styles.proof} role="status">
      {found ? (
        <span className={found.isWrong ? styles.wrong : undefined}>{found.words} </span>
      ) : null}
      <Link to="/account/proof">Your part of the daily proof</Link>
    </p>
  );
}

async function checkDaily(customerId: string): Promise<Finding | null> {
  const now = new Date();
  const today = utcDay(now);
  // Where there was nothing to check yet, the next hour looks again.
  const hour = now.toISOString().slice(0, 13);
  const { checkedOn, kept } = readKept(customerId);
  if (checkedOn === hour) return null;
  if (checkedOn === today)
    return (
      kept && {
        words: `Your browser checked today that you are in the proof of ${formatDay(kept.day)}.`,
        isWrong: false,
      }
    );
  try {
    const { checkOwnProof } = await import("./check-own-proof.ts");
    const finding = await checkOwnProof(customerId, kept);
    if (finding && !finding.isWrong)
      writeKept(customerId, { checkedOn: finding.words ? today : hour, kept: finding.kept });
    return finding?.words ? { words: finding.words, isWrong: finding.isWrong } : null;
  } catch {
    return null;
  }
}
