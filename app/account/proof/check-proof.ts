import type { Step } from "#core/mining/recompute-receipt.ts";
import { listMonths } from "#core/months.ts";
import { hashDay, type ProofDay } from "#core/proof/day-digest.ts";
import { type OwedProof, recomputeOwed, type ShownOwed } from "#core/proof/recompute-owed.ts";
import { toStep } from "#core/proof/recompute-proof.ts";
import { addDays, formatDay } from "#core/utc-day.ts";

/** What a browser keeps of the last proof that it found right. */
export interface KeptProof {
  day: string;
  digest: string;
}

interface CheckedProof {
  steps: Step[];
  /** The published one of the proof's day. */
  digest: string;
}

/** More than a customer stays away, and no more files than a page should fetch. */
const mostMonths = 12;

/**
 * Works out what the account must say, and the hashes up to the published one, which has to follow the one that this browser kept; or
 * says in a sentence why it cannot. Fetches the files of the months from the kept day on, usually one, without the session: so nobody
 * can be shown other days than the public.
 */
export async function checkProof(
  proof: OwedProof,
  shown: ShownOwed,
  known: KeptProof | null,
): Promise<CheckedProof | string> {
  const { day } = proof.leaf;
  // A kept day may be the newer one: then an older proof is shown than before.
  const [first = "", last = ""] = [known?.day ?? day, day].sort().map((each) => each.slice(0, 7));
  let months = listMonths(first, last);
  const kept = months.length > mostMonths ? null : known;
  if (!kept) months = [day.slice(0, 7)];
  const files = await Promise.all(months.map(fetchMonth));
  const days = files.flatMap((file) => file ?? []);
  if (files.includes(null)) return "The published hashes could not be fetched. Please try again.";
  const published = days.find((each) => each.day === day);
  if (!published) return `No match: no hash of ${formatDay(day)} is published. Please write to us.`;
  try {
    const { digest } = published;
    const steps = recomputeOwed(proof, shown, digest);
    if (kept) steps.push(chainStep(kept, day, days, digest));
    return { steps, digest };
  } catch {
    return "No match: an amount or a hash in the proof is invalid. Please write to us.";
  }
}

/** Null: no answer that can be read. */
async function fetchMonth(month: string): Promise<ProofDay[] | null> {
  const asked = { credentials: "omit", cache: "no-store" } as const;
  const answer = await fetch(`/proof/${month}.json`, asked).catch(() => null);
  const body = await answer?.text().catch(() => null);
  if (answer?.status === 404) return [];
  try {
    const days: unknown = answer?.ok ? JSON.parse(body ?? "") : null;
    return Array.isArray(days) ? days : null;
  } catch {
    return null;
  }
}

/** Each hash includes the one before: from the kept one to that of the day. */
function chainStep(kept: KeptProof, day: string, days: ProofDay[], published: string): Step {
  let digest: string | null = kept.day <= day ? kept.digest : null;
  let count = 0;
  for (let next = addDays(kept.day, 1); digest !== null && next <= day; next = addDays(next, 1)) {
    const found = days.find((each) => each.day === next);
    digest = found ? hashDay({ ...found, previousDigest: digest }) : null;
    count += 1;
  }
  return toStep(`From the hash of ${formatDay(kept.day)}, which your browser kept`, {
    formula: `${count} ${count === 1 ? "day" : "days"} in a chain`,
    computed: digest ?? "not there",
    stated: published,
  });
}
