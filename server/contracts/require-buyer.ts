import { Refusal } from "#core/refusal.ts";
import { isFrozen } from "../identity/queries.ts";
import type { Db, Tx } from "../platform/database.ts";
import { requireResidence } from "../verification/require-residence.ts";

/**
 * Guards a quote and a purchase: somebody who said that he lives where the service is offered, and whose account works.
 *
 * @throws Refusal `identity/account-frozen`, and as `requireResidence` does
 */
export async function requireBuyer(db: Db | Tx, customerId: string): Promise<void> {
  if (await isFrozen(db, customerId)) throw new Refusal("identity/account-frozen");
  await requireResidence(db, customerId);
}
