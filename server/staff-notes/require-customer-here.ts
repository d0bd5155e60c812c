import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { findCustomer } from "../identity/account/find-customer.ts";
import type { Db } from "../platform/database.ts";

/** Refuses with staff-notes/no-such-customer. */
export async function requireCustomerHere(db: Db, customerId: string): Promise<void> {
  const customer = isUuid(customerId) ? await findCustomer(db, customerId) : null;
  if (!customer) throw new Refusal("staff-notes/no-such-customer");
}
