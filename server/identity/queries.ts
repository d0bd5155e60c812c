import { and, eq } from "drizzle-orm";
import type { OperatorRole } from "#core/permissions.ts";
import type { Db, Tx } from "../platform/database.ts";
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

/** The customer with this id, or null. */
export async function findCustomer(db: Db | Tx, id: string): Promise<Customer | null> {
  const [customer] = await db
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
    .where(eq(customers.id, id));
  return customer ?? null;
}

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
  const [row] = await db
    .select({ message: customers.dashboardMessage, expiresAt: customers.dashboardMessageExpiresAt })
    .from(customers)
    .where(eq(customers.id, customerId));
  return row ?? { message: "", expiresAt: null };
}
