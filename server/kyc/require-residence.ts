import { Refusal } from "#core/refusal.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findResidence } from "./list-residences.ts";

/**
 * The country that a customer stated, for acts that need it: the first contract, a withdrawal, a verification. Pages put
 * `ResidencePart` (app/account/verification) in front of what needs it.
 *
 * @param evenWhereNotServed The country must be known, and may be any: customers who leave are paid out.
 * @throws Refusal `kyc/residence-unknown` before it was asked, `kyc/residence-refused` for the United States
 */
export async function requireResidence(
  db: Db | Tx,
  customerId: string,
  { evenWhereNotServed = false } = {},
): Promise<string> {
  const residence = await findResidence(db, customerId);
  if (!residence) throw new Refusal("kyc/residence-unknown");
  if (!residence.served && !evenWhereNotServed) throw new Refusal("kyc/residence-refused");
  return residence.country;
}
