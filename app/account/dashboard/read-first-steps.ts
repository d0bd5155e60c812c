import { findResidence } from "#server/kyc/list-residences.ts";
import type { Db } from "#server/platform/database.ts";
import { listAddresses } from "#server/withdrawals/list-addresses.ts";
import { type FirstStep, listFirstSteps, type Progress } from "./first-steps.ts";

/**
 * The first steps of a customer who has no contract yet. With the first contract they are over: a country is known then, and
 * what else is open is said where it matters.
 */
export async function readFirstSteps(
  db: Db,
  customerId: string,
  known: Omit<Progress, "hasCountry" | "addressUsableFrom">,
  now: Date,
): Promise<FirstStep[]> {
  const [residence, addresses] = await Promise.all([
    findResidence(db, customerId),
    listAddresses(db, customerId),
  ]);
  const usable = addresses.map(({ usableFrom }) => usableFrom.getTime());
  const addressUsableFrom = usable.length === 0 ? null : new Date(Math.min(...usable));
  return listFirstSteps({ ...known, hasCountry: residence !== null, addressUsableFrom }, now);
}
