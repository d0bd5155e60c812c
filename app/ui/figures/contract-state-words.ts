import type { ContractState } from "#core/mining/contract-state.ts";

/** How a contract stands, as its customer and staff read it. */
export const stateWords: Record<
  ContractState,
  { word: string; tone: "plain" | "waiting" | "good" | "bad" }
> = {
  "cooling-off": { word: "Refundable", tone: "waiting" },
  waiting: { word: "Starts soon", tone: "waiting" },
  active: { word: "Active", tone: "good" },
  ended: { word: "Ended", tone: "plain" },
  "given-back": { word: "Refunded", tone: "plain" },
};
