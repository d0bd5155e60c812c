import { eq, sql } from "#server/platform/sql.ts";
import { prepared } from "../../platform/database/prepared.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { customers, users } from "../schema.ts";
import type { Customer } from "./customer.ts";

/** The customer with this id, or null. */
export async function findCustomer(db: Db | Tx, id: string): Promise<Customer | null> {
  const [customer] = await selectCustomer(db, { id });
  return customer ?? null;
}

const selectCustomer = prepared((db) =>
  db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      emailVerified: users.emailVerified,
      createdAt: customers.createdAt,
    })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.id))
    .where(eq(customers.id, sql.placeholder("id")))
    .prepare("identity_customer"),
);
