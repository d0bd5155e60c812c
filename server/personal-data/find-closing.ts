import { and, desc, eq, inArray } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { accountClosings } from "./schema.ts";

/** How far a customer has got with leaving, for staff; null when he is here to stay. */
export async function findLeaving(db: Db, customerId: string) {
  const c = accountClosings;
  const [last] = await db
    .select({ state: c.state, askedAt: c.askedAt, eraseAfter: c.eraseAfter })
    .from(c)
    .where(eq(c.customerId, customerId))
    .orderBy(desc(c.askedAt), desc(c.id))
    .limit(1);
  if (!last || last.state === "kept") return null;
  return { ...last, state: last.state };
}

/** The closing under way, or null. */
export async function findOpenClosing(db: Db | Tx, customerId: string) {
  const [open] = await db
    .select()
    .from(accountClosings)
    .where(
      and(
        eq(accountClosings.customerId, customerId),
        inArray(accountClosings.state, ["waiting", "leaving"]),
      ),
    );
  return open ?? null;
}
