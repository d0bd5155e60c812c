import { and, desc, eq, inArray, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Subject } from "./personal-tables.ts";
import { accountClosings, dataExports } from "./schema.ts";

/** Whose data it is, however the account stands. */
export async function getSubject(
  db: Db | Tx,
  customerId: string,
): Promise<Subject & { firstName: string }> {
  const [person] = await db
    .select({
      id: users.id,
      email: users.email,
      emailVerified: users.emailVerified,
      firstName: users.firstName,
    })
    .from(users)
    .where(eq(users.id, customerId));
  if (!person) throw new Error(`no customer ${customerId}`);
  return person;
}

/** Whether anything stands in the account, or waits to be decided. */
export async function isOwed(db: Db | Tx, customerId: string): Promise<boolean> {
  const { rows } = await db.execute<{ owed: boolean }>(
    sql`select something_is_owed(${customerId}) as owed`,
  );
  return rows[0]?.owed === true;
}

/** The newest copy of his data that a customer asked for, or null. */
export async function findLastExport(db: Db, customerId: string) {
  const e = dataExports;
  const [last] = await db
    .select({
      exportId: e.id,
      state: e.state,
      askedAt: e.askedAt,
      readyAt: e.readyAt,
      expiresAt: e.expiresAt,
      byteSize: e.byteSize,
    })
    .from(e)
    .where(eq(e.customerId, customerId))
    .orderBy(desc(e.askedAt), desc(e.id))
    .limit(1);
  return last ?? null;
}

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
