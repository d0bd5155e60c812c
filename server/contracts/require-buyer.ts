import { tierLimits } from "#core/people/kyc-tiers.ts";
import { Refusal } from "#core/refusal.ts";
import { isFrozen } from "../identity/account/is-frozen.ts";
import { getKyc } from "../kyc/get-kyc.ts";
import { requireResidence } from "../kyc/require-residence.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findSalesStop } from "./find-sales-stop.ts";
import { sumRunning } from "./has-bought.ts";

/**
 * Guards a quote and a purchase: nothing is sold while we cannot show that what we owe is there; somebody who said that he
 * lives where the service is offered, whose account works, and who may have contracts for so much running at once at his level of
 * verification.
 *
 * @throws Refusal `contracts/sales-stopped`, `identity/account-frozen`, `contracts/above-tier`, and as `requireResidence` does
 */
export async function requireBuyer(
  db: Db | Tx,
  { customerId, usdCents, now }: { customerId: string; usdCents: bigint; now: Date },
): Promise<void> {
  if (await findSalesStop(db)) throw new Refusal("contracts/sales-stopped");
  if (await isFrozen(db, customerId)) throw new Refusal("identity/account-frozen");
  await requireResidence(db, customerId);
  const { level } = await getKyc(db, customerId, now);
  const most = tierLimits[level].contractsUsdCents;
  if (most !== null && (await sumRunning(db, customerId)) + usdCents > most) {
    throw new Refusal("contracts/above-tier");
  }
}
