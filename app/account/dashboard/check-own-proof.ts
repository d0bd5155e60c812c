import { coins } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";
import type { ProofDay } from "#core/proof/day-digest.ts";
import type { OwedProof, ShownOwed } from "#core/proof/recompute-owed.ts";
import type { OwedLeaf } from "#core/proof/sum-tree.ts";
import { formatDay } from "#core/utc-day.ts";
import { checkProof, type KeptProof } from "../proof/check-proof.ts";

/** `/account/proof.json`: docs/proof.md. */
interface ProofFile {
  leaf: OwedProof["leaf"] | null;
  path: OwedProof["path"];
  day: ProofDay;
  account: ShownOwed;
  wasThere: boolean;
}

interface OwnFinding {
  /** Empty: there is nothing to check yet. */
  words: string;
  isWrong: boolean;
  /** To be kept when nothing is wrong. */
  kept: KeptProof | null;
}

/** Checks the part of this customer in the newest proof. Null: there was no answer. */
export async function checkOwnProof(
  customerId: string,
  kept: KeptProof | null,
): Promise<OwnFinding | null> {
  const answer = await fetch("/account/proof.json");
  // Read to its end, or the browser goes on waiting for it.
  const body = await answer.text();
  if (!answer.ok || answer.redirected) return null;
  const file = JSON.parse(body) as ProofFile | null;
  // Nothing is published yet.
  if (!file) return goneFinding(kept);
  const { leaf, path, day, account, wasThere } = file;
  const wrong = (words: string) => {
    const of = `The proof of ${formatDay(day.day)} is wrong. ${words}`;
    return { words: `${of} Please write to us, and tell others.`, isWrong: true, kept };
  };
  if (!leaf)
    return wasThere || kept
      ? wrong("Your account is not in it.")
      : { words: "", isWrong: false, kept };
  const found = await checkProof({ leaf, path, day }, { ...account, customerId }, kept);
  if (typeof found === "string") return found.startsWith("No match") ? wrong(found) : null;
  const differs = found.steps.find(({ agrees }) => !agrees);
  if (differs) return wrong(`It differs in: ${differs.name}.`);
  return { words: rightWords(leaf), isWrong: false, kept: { day: leaf.day, digest: found.digest } };
}

/** No tree is there: as before the first one, unless this browser has seen one. */
function goneFinding(kept: KeptProof | null): OwnFinding {
  const words = kept
    ? `We show you no proof any more, and your browser kept the one of ${formatDay(kept.day)}. Please write to us, and tell others.`
    : "";
  return { words, isWrong: kept !== null, kept };
}

function rightWords({ day, balance, prepaid }: OwedLeaf): string {
  const listed = (sums: OwedLeaf["balance"]) =>
    coins
      .filter((coin) => sums[coin] !== "0")
      .map((coin) => `${formatAmount(BigInt(sums[coin]), coin)} ${coin}`)
      .join(", ");
  const inContracts = listed(prepaid);
  const has = `${listed(balance) || "nothing"}${inContracts && `, and ${inContracts} in contracts`}`;
  return `Your browser checked today that you are in the proof of ${formatDay(day)}, with ${has}.`;
}
