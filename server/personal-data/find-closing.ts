import { and, asc, desc, eq, gt, inArray, lte } from "#server/platform/sql.ts";
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

/** Closings of a state, a page at a time; of those that leave, which are to be erased by a time. */
export function listClosings(
  db: Db,
  state: "waiting" | "leaving",
  { after, eraseBy }: { after: string; eraseBy?: Date },
) {
  const c = accountClosings;
  return db
    .select({ id: c.id, customerId: c.customerId })
    .from(c)
    .where(
      and(eq(c.state, state), gt(c.id, after), eraseBy ? lte(c.eraseAfter, eraseBy) : undefined),
    )
    .orderBy(asc(c.id))
    .limit(200);
}
