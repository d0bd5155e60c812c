import { isUuid } from "#core/is-uuid.ts";
import { customers, users } from "#server/identity/schema.ts";
import { containing } from "#server/platform/containing.ts";
import type { Db } from "#server/platform/database.ts";
import { keyset } from "#server/platform/keyset.ts";
import { and, eq, type SQL, sql } from "#server/platform/sql.ts";
import { countWaitingByCustomer } from "../deposits/find-next-waiting.ts";

const newestFirst = keyset("desc", customers.createdAt, customers.id);

export interface FoundCustomer {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  createdAt: Date;
}

export interface ListedCustomer extends FoundCustomer {
  depositsWaiting: number;
}

/**
 * Customers, newest first. Every word of `text` must stand in the name or the e-mail; an id finds its customer.
 * `after` is the id of the last one seen.
 */
export async function searchCustomers(
  db: Db,
  search: { text?: string; after?: string | undefined; limit: number },
): Promise<ListedCustomer[]> {
  const found = await db
    .select({
      id: customers.id,
      name: sql<string>`${users.name}`,
      email: users.email,
      emailVerified: users.emailVerified,
      createdAt: customers.createdAt,
    })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.id))
    .where(and(...mentioning(search.text ?? ""), newestFirst.beyond(search.after)))
    .orderBy(...newestFirst.by)
    .limit(search.limit);
  const waiting = await countWaitingByCustomer(
    db,
    found.map(({ id }) => id),
  );
  return found.map((customer) => ({
    ...customer,
    depositsWaiting: waiting.get(customer.id) ?? 0,
  }));
}

function mentioning(text: string): (SQL | undefined)[] {
  if (isUuid(text.trim())) return [eq(customers.id, text.trim())];
  const words = text.split(/\s+/).filter(Boolean).slice(0, 8);
  return words.map((word) => containing(word, sql`(${users.name} || ' ' || ${users.email})`));
}
