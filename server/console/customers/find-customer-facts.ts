import { isUuid } from "#core/is-uuid.ts";
import { isOpen } from "#server/identity/account/is-open.ts";
import { customers, sessions, users } from "#server/identity/schema.ts";
import type { Db } from "#server/platform/database.ts";
import { and, count, eq, type SQL, sql } from "#server/platform/sql.ts";
import type { FoundCustomer } from "./search-customers.ts";

export interface CustomerFacts extends FoundCustomer {
  acceptedTermsAt: Date;
  /** How many browsers are signed in. */
  sessions: number;
  dashboardMessage: string;
  dashboardMessageExpiresAt: Date | null;
}

/** What staff may know of a customer; null when there is none with this id. */
export async function findCustomerFacts(
  db: Db,
  id: string,
  now: Date,
): Promise<CustomerFacts | null> {
  if (!isUuid(id)) return null;
  const [customer] = await db
    .select({
      id: customers.id,
      name: sql<string>`${users.name}`,
      email: users.email,
      emailVerified: users.emailVerified,
      createdAt: customers.createdAt,
      acceptedTermsAt: customers.acceptedTermsAt,
      dashboardMessage: customers.dashboardMessage,
      dashboardMessageExpiresAt: customers.dashboardMessageExpiresAt,
    })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.id))
    .where(eq(customers.id, id));
  if (!customer) return null;
  const [open] = await db
    .select({ sessions: count() })
    .from(sessions)
    .where(and(eq(sessions.userId, id), isOpen(now)));
  return { ...customer, sessions: open?.sessions ?? 0 };
}

/** The id of the customer with exactly this address or id; null when there is none. */
export async function findCustomerId(db: Db, text: string): Promise<string | null> {
  const wanted = text.trim().toLowerCase();
  const isThis: SQL = isUuid(wanted) ? eq(customers.id, wanted) : eq(users.email, `${wanted}`);
  const [found] = await db
    .select({ id: customers.id })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.id))
    .where(isThis);
  return found?.id ?? null;
}
