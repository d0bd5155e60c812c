import type { SourceHealth } from "#server/chain/source-health.ts";

/** What a health means to somebody of the staff. */
export const healthTexts: Record<SourceHealth, string> = {
  following: "Follows the chain",
  "catching-up": "Reads older blocks",
  unreachable: "Cannot be reached",
  unauthorized: "Refuses our user or password",
  "warming-up": "Is starting",
  syncing: "Still syncing the chain",
  stale: "Has heard of no block for long",
  behind: "Has fewer blocks than it had",
  pruned: "Has thrown away blocks that we need",
  "another-chain": "Is on another network",
  lying: "Says what cannot be",
  "reorg-too-deep": "Has another chain than the one that we know",
  "not-finalizing": "Has blocks that do not become final",
  "wrong-token": "Has no such token",
  "no-traces": "Does not say what contracts sent",
  "foreign-address": "An address in the database is not of your wallet",
};
