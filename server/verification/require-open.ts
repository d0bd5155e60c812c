import { Refusal } from "#core/refusal.ts";
import type { Tx } from "../platform/database.ts";
import { getVerification, type Verification } from "./get-verification.ts";
import type { Step } from "./standing.ts";

/**
 * Where a customer stands, if he may say or send this now.
 *
 * @throws Refusal `verification/not-open` while a submission waits, after an approval, and for what was accepted
 */
export async function requireOpen(
  tx: Tx,
  customerId: string,
  step: Step,
  now: Date,
): Promise<Verification> {
  const verification = await getVerification(tx, customerId, now);
  if (!verification.open.includes(step)) throw new Refusal("verification/not-open");
  return verification;
}
