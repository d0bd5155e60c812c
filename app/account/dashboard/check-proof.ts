import type { ProofDay } from "#core/proof/day-digest.ts";
import { type OwedProof, recomputeOwed, type ShownOwed } from "#core/proof/recompute-owed.ts";
import { addDays, formatDay } from "#core/utc-day.ts";

/** What a browser keeps of the last proof that it checked. */
export interface KeptProof {
  /** The UTC day on which it looked. */
  checkedOn: string;
  /** The day of the proof, and its hash. */
  day: string;
  digest: string;
  /** What was wrong; null: nothing. */
  wrong: string | null;
}

/** `/account/proof.json`: docs/proof.md. */
export interface ProofFile extends Omit<OwedProof, "leaf"> {
  leaf: OwedProof["leaf"] | null;
  account: ShownOwed;
  wasThere: boolean;
}

/**
 * Checks a customer's part of the newest proof, and that it follows the one that this browser kept. Null: there is nothing to check.
 * `customerId` is the account's that is shown.
 */
export function checkProof(
  file: ProofFile,
  customerId: string,
  kept: KeptProof | null,
): Pick<KeptProof, "day" | "digest" | "wrong"> | null {
  const { leaf, path, day, account, wasThere } = file;
  if (!leaf && !wasThere) return null;
  const wrong = breakOf(day, kept) ?? (leaf ? wrongWith(leaf) : `You are missing in it.`);
  return { day: day.day, digest: day.digest, wrong };

  function wrongWith(mine: OwedProof["leaf"]): string | null {
    try {
      const steps = recomputeOwed(
        { leaf: mine, path, day },
        { ...account, customerId },
        day.digest,
      );
      const differs = steps.find(({ agrees }) => !agrees);
      return differs ? `It differs in: ${differs.name}.` : null;
    } catch {
      return "It holds what is no amount.";
    }
  }
}

/** Each hash includes the one before: the day after a kept one has to name it. */
function breakOf(day: ProofDay, kept: KeptProof | null): string | null {
  if (!kept) return null;
  const isSame = kept.day === day.day && kept.digest === day.digest;
  const isNext = addDays(kept.day, 1) === day.day && kept.digest === day.previousDigest;
  const isLater = addDays(kept.day, 1) < day.day;
  return isSame || isNext || isLater
    ? null
    : `It does not follow the hash of ${formatDay(kept.day)} that your browser kept: ${kept.digest}.`;
}
