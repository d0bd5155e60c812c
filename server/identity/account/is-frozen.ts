import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { accountFreezes } from "../schema.ts";

/** Whether the account is frozen: nobody signs in, nothing changes, nothing leaves. */
export async function isFrozen(db: Db | Tx, userId: string): Promise<boolean> {
  const open = await db
    .select({ id: accountFreezes.id })
    .from(accountFreezes)
    .where(and(eq(accountFreezes.userId, userId), isNull(accountFreezes.liftedAt)));
  return open.length > 0;
}
