import type { Pool } from "pg";
import type { Customer } from "#server/identity/account/customer.ts";
import { findCustomer } from "#server/identity/account/find-customer.ts";
import { hashPassword, passwordCost } from "#server/identity/passwords/password.ts";
import { addCustomer } from "#server/identity/registration/register-customer.ts";
import type { Db } from "#server/platform/database.ts";
import type { Site } from "#server/platform/mail/layout.ts";

export const testSite = { siteName: "Assay", appUrl: "http://127.0.0.1:3000" };
export const testPassword = "correct horse battery";

let count = 0;

/** Hashing takes longer than all else that a test does with a customer. A test about that sets its cost. */
const hashes = new Map<string, Promise<string>>();

function hashOnce(password: string): Promise<string> {
  const key = `${passwordCost.memoryCost} ${password}`;
  const hash = hashes.get(key) ?? hashPassword(password);
  hashes.set(key, hash);
  return hash;
}

/** A customer as registering leaves one. */
export async function createTestCustomer(
  db: Db,
  wanted: {
    email?: string;
    firstName?: string;
    lastName?: string;
    password?: string;
    site?: Site;
    now?: Date;
  } = {},
): Promise<Customer> {
  count += 1;
  const { customerId } = await addCustomer(db, {
    email: wanted.email ?? `customer-${process.pid}-${count}@example.com`,
    firstName: wanted.firstName ?? "Ada",
    lastName: wanted.lastName ?? "Lovelace",
    passwordHash: await hashOnce(wanted.password ?? testPassword),
    site: wanted.site ?? testSite,
    now: wanted.now ?? new Date(),
  });
  const customer = await findCustomer(db, customerId);
  if (!customer) throw new Error("the customer just registered is not there");
  return customer;
}

/** Gives somebody a name that could be chosen before there was a rule for names. */
export async function nameAsBefore(
  owner: Pool,
  userId: string,
  { firstName, lastName }: { firstName: string; lastName: string },
): Promise<void> {
  const trigger = "trigger names_are_names";
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query(`alter table users disable ${trigger}`);
    const named = "update users set first_name = $2, last_name = $3 where id = $1";
    await client.query(named, [userId, firstName, lastName]);
    await client.query(`alter table users enable always ${trigger}`);
    await client.query("commit");
  } finally {
    client.release();
  }
}
