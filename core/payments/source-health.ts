/**
 * Whether what a source says about a chain can be used, and what that means to somebody of the staff. Money is credited while it is
 * `following`, and at no other time.
 */
export const healthTexts = {
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
} as const;

export type SourceHealth = keyof typeof healthTexts;
