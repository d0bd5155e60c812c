import type { KeptProof } from "./check-proof.ts";

interface Stored {
  /** The UTC day on which the browser looked by itself. */
  checkedOn: string | null;
  /** The last proof that it found right; null: none yet. */
  kept: KeptProof | null;
}

const name = "assay-proof";
/** Several customers may share a browser. */
const nameOf = (customerId: string) => `${name} ${customerId}`;

/** What this browser keeps for an account. Without storage, or with what is not ours in it, nothing. */
export function readKept(customerId: string): Stored {
  try {
    const { checkedOn, kept } = JSON.parse(
      localStorage.getItem(nameOf(customerId)) ?? "",
    ) as Stored;
    const isOurs =
      /^\d{4}-\d{2}-\d{2}$/.test(kept?.day ?? "") && /^[0-9a-f]{64}$/.test(kept?.digest ?? "");
    return {
      checkedOn: typeof checkedOn === "string" ? checkedOn : null,
      kept: isOurs ? kept : null,
    };
  } catch {
    return { checkedOn: null, kept: null };
  }
}

export function writeKept(customerId: string, stored: Stored): void {
  try {
    localStorage.setItem(nameOf(customerId), JSON.stringify(stored));
  } catch {
    // Nothing is kept then.
  }
}
