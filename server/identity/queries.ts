import { and, count, eq, sql } from "drizzle-orm";
import type { OperatorRole } from "#core/permissions.ts";
import type { Db, Tx } from "../platform/database.ts";
import { prepared } from "../platform/prepared.ts";
import type { Customer } from "./customer.ts";
import { customers, operators, users } from "./schema.ts";

/** Whether anybody can sign in to the console. */
export async function hasOperator(db: Db): Promise<boolean> {
  const found = await db
    .select({ id: operators.id })
    .from(operators)
    .where(eq(operators.state, "active"))
    .limit(1);
  return found.length > 0;
}

/** How many owners there are who have not been suspended. */
export async function countOwners(db: Db): Promise<number> {
  const [owners] = await db
    .select({ count: count() })
    .from(operators)
    .where(and(eq(operators.role, "owner"), eq(operators.state, "active")));
  return owners?.count ?? 0;
}

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

/** The operator with this id unless suspended, or null. */
export async function findActiveOperator(
  db: Db,
  id: string,
): Promise<{
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: OperatorRole;
} | null> {
  const [operator] = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      role: operators.role,
    })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.id))
    .where(and(eq(operators.id, id), eq(operators.state, "active")));
  return operator ?? null;
}

/** What staff wrote above a customer's dashboard, and when it ends by itself. */
export async function getDashboardMessage(
  db: Db,
  customerId: string,
): Promise<{ message: string; expiresAt: Date | null }> {
  const [row] = await selectMessage(db, { customerId });
  return row ?? { message: "", expiresAt: null };
}

const selectMessage = prepared((db) =>
  db
    .select({ message: customers.dashboardMessage, expiresAt: customers.dashboardMessageExpiresAt })
    .from(customers)
    .where(eq(customers.id, sql.placeholder("customerId")))
    .prepare("identity_dashboard_message"),
);
