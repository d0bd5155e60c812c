import { useEffect, useState } from "react";
import { Link } from "react-router";
import { formatDay, utcDay } from "#core/utc-day.ts";
import styles from "./balances.module.css";
import type { KeptProof, ProofFile } from "./check-proof.ts";

/**
 * Once a day the browser checks by itself that the newest proof of what we owe includes this customer, with one request, and says so
 * in a line.
 */
export function ProofLine({ customerId }: { customerId: string }) {
  const [found, setFound] = useState<KeptProof | null>(null);
  useEffect(() => {
    let isGone = false;
    void checkOncePerDay(customerId).then((kept) => {
      if (!isGone) setFound(kept);
    });
    return () => {
      isGone = true;
    };
  }, [customerId]);
  return (
    <p className={styles.proof} role="status">
      {found ? (
        <span className={found.wrong ? styles.wrong : undefined}>{wordsOf(found)} </span>
      ) : null}
      <Link to="/account/proof">Your part of the daily proof</Link>
    </p>
  );
}

function wordsOf({ day, wrong }: KeptProof): string {
  return wrong === null
    ? `Your browser checked today that you are in the proof of ${formatDay(day)}, and that nothing went missing since.`
    : `The proof of ${formatDay(day)} is wrong. ${wrong} Please write to us, and tell others.`;
}

async function checkOncePerDay(customerId: string): Promise<KeptProof | null> {
  const name = `assay-proof-${customerId}`;
  const today = utcDay(new Date());
  const kept = readKept(name);
  if (kept?.checkedOn === today) return kept;
  try {
    const [{ checkProof }, answer] = await Promise.all([
      import("./check-proof.ts"),
      fetch("/account/proof.json"),
    ]);
    if (!answer.ok || answer.redirected) return null;
    const found = checkProof((await answer.json()) as ProofFile, customerId, kept);
    if (!found) return null;
    const checked = { ...found, checkedOn: today };
    // What was wrong is kept with the hash that it does not follow.
    const isBroken = kept !== null && found.wrong !== null;
    localStorage.setItem(
      name,
      JSON.stringify(isBroken ? { ...checked, day: kept.day, digest: kept.digest } : checked),
    );
    return checked;
  } catch {
    return null;
  }
}

/** Without storage, or with what is not ours in it, nothing was kept. */
function readKept(name: string): KeptProof | null {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") as KeptProof | null;
  } catch {
    return null;
  }
}
