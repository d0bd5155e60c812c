import { Refusal } from "#core/refusal.ts";
import { findCustomer } from "../identity/account/find-customer.ts";
import type { Db } from "../platform/database.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Refuses with staff-notes/no-such-customer. */
export async function requireCustomerHere(db: Db, customerId: string): Promise<void> {
  const customer = uuid.test(customerId) ? await findCustomer(db, customerId) : null;
  if (!customer) throw new Refusal("staff-notes/no-such-customer");
}
