import { may, operatorRoles } from "#core/permissions.ts";
import { and, asc, eq, inArray } from "#server/platform/sql.ts";
import { operators, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";

/** The addresses of the staff who answer: what was written is for nobody else's mailbox. */
export async function listOperatorAddresses(db: Db | Tx): Promise<string[]> {
  const answerers = operatorRoles.filter((role) => may(role, "contact/reply"));
  const found = await db
    .select({ email: users.email })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.id))
    .where(and(eq(operators.state, "active"), inArray(operators.role, answerers)))
    .orderBy(asc(users.email))
    .limit(50);
  return found.map(({ email }) => email);
}
