import type { Step } from "#core/mining/recompute-receipt.ts";

export const recomputeLead =
  "Your browser works every figure out again from the evidence and the hashrates above, with whole numbers and the same formula. Nothing is sent.";

/** The verdict above the steps. */
export function verdictOf(steps: readonly Step[]): { agrees: boolean; words: string } {
  const wrong = steps.filter(({ agrees }) => !agrees).length;
  if (wrong === 0) {
    return {
      agrees: true,
      words: `It agrees: all ${steps.length} steps come to the same, to the satoshi.`,
    };
  }
  return {
    agrees: false,
    words: `It does not agree: ${wrong} of ${steps.length} steps come to something else. Please write to us.`,
  };
}
