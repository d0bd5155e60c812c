import { isUuid } from "#core/is-uuid.ts";
import { may, type OperatorRole } from "#core/permissions.ts";
import { countAdjustmentsOf } from "#server/adjustments/list-adjustments.ts";
import {
  type CustomerFacts,
  findCustomerFacts,
} from "#server/console/customers/find-customer-facts.ts";
import { isFrozen } from "#server/identity/account/is-frozen.ts";
import type { Db } from "#server/platform/database.ts";
import { listStandingFlags, type StandingFlag } from "#server/staff-notes/list-flags.ts";
import { notFound } from "../parts/route.ts";
import type { CustomerFlags } from "./sections.ts";

/** What stands above every section of a customer's page. */
export interface CustomerHeader {
  customer: CustomerFacts;
  frozen: boolean;
  flags: StandingFlag[];
  has: CustomerFlags;
}

/** Reads it, beside what the section reads. There is no page for an id that is nobody's. */
export async function readCustomerHeader(
  db: Db,
  customerId: string,
  { role, now }: { role: OperatorRole; now: Date },
): Promise<CustomerHeader> {
  const nobody = () => notFound();
  if (!isUuid(customerId)) throw nobody();
  const [customer, frozen, flags, adjustments] = await Promise.all([
    findCustomerFacts(db, customerId, now),
    isFrozen(db, customerId),
    may(role, "staff-notes/read") ? listStandingFlags(db, customerId, now) : [],
    may(role, "adjustments/read") ? countAdjustmentsOf(db, customerId) : 0,
  ]);
  if (!customer) throw nobody();
  return { customer, frozen, flags, has: { adjustments: adjustments > 0 } };
}
