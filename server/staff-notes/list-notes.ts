import { desc, eq, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import { staffNotes } from "./schema.ts";

const n = staffNotes;

/** What staff wrote about a customer, newest first. */
export function listNotes(db: Db, customerId: string, limit: number) {
  return db
    .select({
      id: n.id,
      body: n.body,
      writtenAt: n.writtenAt,
      writtenBy: n.writtenBy,
      author: sql<string>`coalesce(${users.name}, '')`,
    })
    .from(n)
    .innerJoin(users, eq(users.id, n.writtenBy))
    .where(eq(n.customerId, customerId))
    .orderBy(desc(n.writtenAt), desc(n.id))
    .limit(limit);
}
