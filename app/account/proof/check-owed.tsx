import { Recompute } from "#app/ui/receipt/recompute.tsx";
import type { ProofDay } from "#core/proof/day-digest.ts";
import { type OwedProof, recomputeOwed, type ShownOwed } from "#core/proof/recompute-owed.ts";
import { formatDay } from "#core/utc-day.ts";

/** Works out in the reader's browser that the published hash includes what the page shows. */
export function CheckOwed({ proof, shown }: { proof: OwedProof; shown: ShownOwed }) {
  const { day } = proof.leaf;
  const recompute = async () => {
    const digest = await fetchDigest(day);
    if (digest === null)
      return "The published hash could not be fetched from the public page. Please try again.";
    if (digest === "")
      return `No match: the public page has no hash of ${formatDay(day)}. Please write to us.`;
    try {
      return recomputeOwed(proof, shown, digest);
    } catch {
      return "No match: an amount on the way is no amount, or below zero. Please write to us.";
    }
  };
  return (
    <Recompute
      lead="Your browser adds up and hashes your entry, and from there every sum and hash up to the published one. That one it fetches from the public page, without saying who asks."
      of={`the account, or the published proof of ${formatDay(day)},`}
      exact="to the smallest unit"
      recompute={recompute}
      noScript="This needs JavaScript. The file below has all fields and hashes."
    />
  );
}

/** The hash of a day on the public page, asked for without the session; empty: it has none of this day. Null: no answer. */
async function fetchDigest(day: string): Promise<string | null> {
  const answer = await fetch(`/proof/${day.slice(0, 7)}.json`, { credentials: "omit" }).catch(
    () => null,
  );
  if (answer?.status === 404) return "";
  const days = answer?.ok ? ((await answer.json().catch(() => null)) as ProofDay[] | null) : null;
  return days && (days.find((each) => each.day === day)?.digest ?? "");
}
