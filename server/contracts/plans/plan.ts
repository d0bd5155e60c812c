import { createHash } from "node:crypto";
import type { planVersions } from "../schema.ts";

export type Termination = "refund-unserved" | "forfeit";

/** What a plan offers, and what its price and its maintenance are made of. The sums are never typed. */
export interface PlanTerms {
  name: string;
  /** Of one unit. */
  unitGhs: bigint;
  termDays: number;
  mostUnits: number;
  /** The most of the fleet under this plan at a time; null: whatever is free. */
  offeredGhs: bigint | null;
  machinesUsdCents: bigint;
  setupUsdCents: bigint;
  /** The operator's. Below zero where he sells at a loss. */
  marginUsdCents: bigint;
  /** Of one TH/s for one day, in millionths of a dollar. */
  energyUsdMicros: bigint;
  operationUsdMicros: bigint;
  maintenanceMarginUsdMicros: bigint;
  termination: Termination;
}

/** The terms with their sums: what a customer pays. */
export interface PricedTerms extends PlanTerms {
  priceUsdCents: bigint;
  maintenanceUsdMicros: bigint;
}

/** The terms with their sums, as they are kept. */
export function withSums(terms: PlanTerms): PricedTerms {
  return {
    ...termsOf(terms),
    priceUsdCents: terms.machinesUsdCents + terms.setupUsdCents + terms.marginUsdCents,
    maintenanceUsdMicros:
      terms.energyUsdMicros + terms.operationUsdMicros + terms.maintenanceMarginUsdMicros,
  };
}

/** The terms alone, of a version as it is kept. */
export function termsOf(version: PlanTerms): PlanTerms {
  return {
    name: version.name.trim(),
    unitGhs: version.unitGhs,
    termDays: version.termDays,
    mostUnits: version.mostUnits,
    offeredGhs: version.offeredGhs,
    machinesUsdCents: version.machinesUsdCents,
    setupUsdCents: version.setupUsdCents,
    marginUsdCents: version.marginUsdCents,
    energyUsdMicros: version.energyUsdMicros,
    operationUsdMicros: version.operationUsdMicros,
    maintenanceMarginUsdMicros: version.maintenanceMarginUsdMicros,
    termination: version.termination,
  };
}

/**
 * A short mark of a version as a page showed it. Who saves or publishes with another mark has not seen what stands there
 * now.
 */
export function markOfTerms(version: PlanTerms): string {
  const text = Object.values(termsOf(version)).map(String).join("\n");
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

/** For the audit log: every term, in words and decimals. */
export function detailOfTerms(terms: PlanTerms): Record<string, string | number | null> {
  const { priceUsdCents, maintenanceUsdMicros, ...rest } = withSums(terms);
  const written = Object.entries(rest).map(
    ([name, value]) => [name, typeof value === "bigint" ? `${value}` : value] as const,
  );
  return {
    ...Object.fromEntries(written),
    priceUsdCents: `${priceUsdCents}`,
    maintenanceUsdMicros: `${maintenanceUsdMicros}`,
  };
}

export type PlanVersion = typeof planVersions.$inferSelect;
