import type { OperatorRole } from "#core/permissions.ts";
import { and, count, eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { operators, users } from "../schema.ts";

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
