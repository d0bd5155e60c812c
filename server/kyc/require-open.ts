import { Refusal } from "#core/refusal.ts";
import type { Tx } from "../platform/database.ts";
import { getKyc, type KycStatus } from "./get-kyc.ts";
import type { Step } from "./standing.ts";

/**
 * The state of the verification, if the customer may submit this now.
 *
 * @throws Refusal `kyc/not-open` while a submission waits, after an approval, and for what was accepted
 */
export async function requireOpen(
  tx: Tx,
  customerId: string,
  step: Step,
  now: Date,
): Promise<KycStatus> {
  const verification = await getKyc(tx, customerId, now);
  if (!verification.open.includes(step)) throw new Refusal("kyc/not-open");
  return verification;
}
