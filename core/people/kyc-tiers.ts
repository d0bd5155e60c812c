import { formatUsd } from "../money.ts";

/** What a customer has declared and proved, least first. */
export const kycTiers = ["registered", "resident", "verified"] as const;
export type KycTier = (typeof kycTiers)[number];

export interface TierLimits {
  /** Paid in, at once; null: no limit by level. */
  depositUsdCents: bigint | null;
  /** Price of contracts that run at the same time; null: no limit by level. */
  contractsUsdCents: bigint | null;
  /** Paid out within 30 days; null: no limit by level. */
  withdrawalsUsdCents: bigint | null;
}

/**
 * What each tier allows. Contracts and withdrawals ask here, and the verification page shows it before
 * a document is asked for. The final payment when an account is closed is free of these limits.
 */
export const tierLimits: Record<KycTier, TierLimits> = {
  registered: { depositUsdCents: null, contractsUsdCents: 0n, withdrawalsUsdCents: 0n },
  resident: {
    depositUsdCents: null,
    contractsUsdCents: 1_000_000n,
    withdrawalsUsdCents: 100_000n,
  },
  verified: { depositUsdCents: null, contractsUsdCents: null, withdrawalsUsdCents: null },
};

export const tierNames: Record<KycTier, { name: string; by: string }> = {
  registered: { name: "Registered", by: "An account" },
  resident: { name: "Country declared", by: "The country you live in" },
  verified: { name: "Verified", by: "Personal details and documents, approved by our staff" },
};

/** The tier of a customer. Customers in countries that we may not serve have only the first. */
export function kycTierOf(facts: { residenceServed: boolean; verified: boolean }): KycTier {
  if (!facts.residenceServed) return "registered";
  return facts.verified ? "verified" : "resident";
}

/** A limit in words: "Not allowed", "No limit", "Up to $1,000.00". */
export function limitInWords(usdCents: bigint | null): string {
  if (usdCents === null) return "No limit";
  return usdCents === 0n ? "Not allowed" : `Up to ${formatUsd(usdCents)}`;
}
