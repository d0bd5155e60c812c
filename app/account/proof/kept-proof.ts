import type { KeptProof } from "./check-proof.ts";

interface Stored {
  /** The UTC day on which the browser looked by itself. */
  checkedOn: string | null;
  /** The last proof that it found right; null: none yet. */
  kept: KeptProof | null;
}

const name = "assay-proof";

/** What this browser keeps for an account. Without storage, or with what is not ours in it, nothing. */
export function readKept(customerId: string): Stored {
  const { checkedOn, kept } = readAll()[customerId] ?? {};
  const isOurs =
    /^\d{4}-\d{2}-\d{2}$/.test(kept?.day ?? "") && /^[0-9a-f]{64}$/.test(kept?.digest ?? "");
  return {
    checkedOn: typeof checkedOn === "string" ? checkedOn : null,
    kept: isOurs && kept ? kept : null,
  };
}

export function writeKept(customerId: string, stored: Stored): void {
  try {
    localStorage.setItem(name, JSON.stringify({ ...readAll(), [customerId]: stored }));
  } catch {
    // Nothing is kept then.
  }
}

/** Several customers may share a browser. */
function readAll(): Record<string, Partial<Stored>> {
  try {
    return { ...JSON.parse(localStorage.getItem(name) ?? "") };
  } catch {
    return {};
  }
}
