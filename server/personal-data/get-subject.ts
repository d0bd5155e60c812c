import { eq } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Subject } from "./personal-tables.ts";

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
