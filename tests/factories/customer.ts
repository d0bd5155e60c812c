import type { Customer } from "#server/identity/customer.ts";
import { findCustomer } from "#server/identity/queries.ts";
import { registerCustomer } from "#server/identity/register-customer.ts";
import type { Db } from "#server/platform/database.ts";

export const testSite = { siteName: "Assay", appUrl: "http://127.0.0.1:3000" };
export const testPassword = "correct horse battery";

let count = 0;

/** A customer who registered as any other. */
export async function createTestCustomer(
  db: Db,
  wanted: {
    email?: string;
    firstName?: string;
    lastName?: string;
    password?: string;
    now?: Date;
  } = {},
): Promise<Customer> {
  count += 1;
  const { customerId } = await registerCustomer(db, {
    email: wanted.email ?? `customer-${process.pid}-${count}@example.com`,
    firstName: wanted.firstName ?? "Ada",
    lastName: wanted.lastName ?? "Lovelace",
    password: wanted.password ?? testPassword,
    site: testSite,
    now: wanted.now ?? new Date(),
  });
  const customer = await findCustomer(db, customerId);
  if (!customer) throw new Error("the customer just registered is not there");
  return customer;
}
