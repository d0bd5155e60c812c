import type { Step } from "#core/mining/recompute-receipt.ts";

export const recomputeLead =
  "Your browser calculates every figure again from the evidence and the hashrates below, with whole numbers and the same formula. Nothing is sent.";

/** The verdict above the steps. */
export function verdictOf(
  steps: readonly Step[],
  exact = "to the satoshi",
): { agrees: boolean; words: string } {
  const wrong = steps.filter(({ agrees }) => !agrees).length;
  if (wrong === 0) {
    return {
      agrees: true,
      words: `Match: all ${steps.length} steps agree ${exact}.`,
    };
  }
  return {
    agrees: false,
    words: `No match: ${wrong} of ${steps.length} steps differ. Please write to us.`,
  };
}
