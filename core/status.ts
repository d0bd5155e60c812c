import type { LateFact } from "./late.ts";

/** What customers may be told is late, in their words; what only staff can do something about is not in it. */
export const statusParts = {
  bitcoin: {
    name: "Deposits in Bitcoin",
    late: "What you sent is safe. It is credited once we read the chain again.",
  },
  ethereum: {
    name: "Deposits in Ether and USDT",
    late: "What you sent is safe. It is credited once we read the chain again.",
  },
  buying: {
    name: "Buying contracts",
    late: "We sell nothing at the moment. Contracts that run go on.",
  },
  mining: {
    name: "Daily mining payouts",
    late: "A day is credited once the payouts of all pools are there. It is credited in full.",
  },
  withdrawals: {
    name: "Withdrawals",
    late: "Payments wait, and leave in the order in which they were requested.",
  },
  mail: { name: "E-mails from us", late: "Links and notices arrive later." },
  proof: { name: "Daily proof", late: "The newest day's proof is published later." },
} as const;

export type StatusPart = keyof typeof statusParts;

const partsOfKind: Partial<Record<LateFact["kind"], readonly StatusPart[]>> = {
  worker: ["bitcoin", "ethereum", "buying", "mining", "withdrawals", "mail"],
  prices: ["buying"],
  "prices-silent": ["buying"],
  short: ["buying"],
  "day-without-payout": ["mining"],
  "day-not-posted": ["mining"],
  "batch-unsigned": ["withdrawals"],
  "batch-signed": ["withdrawals"],
  "batch-overdue": ["withdrawals"],
  "batch-unsent": ["withdrawals"],
  mails: ["mail"],
  proof: ["proof"],
};

/** Which parts an alarm is about, by its kind and its subject (`subjectOfLate`), which names the chain. */
export function partsOf({ kind, subject }: { kind: string; subject: string }): StatusPart[] {
  if (kind === "chain" || kind === "chain-silent") {
    return subject.includes("ethereum") ? ["ethereum"] : ["bitcoin"];
  }
  return [...(partsOfKind[kind as LateFact["kind"]] ?? [])];
}

export const publicKinds = ["chain", "chain-silent", ...Object.keys(partsOfKind)];
