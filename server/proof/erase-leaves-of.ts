import type { Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** Forgets which leaves of the trees were somebody's who left. The trees stay, and with them everybody else's path. */
export async function eraseLeavesOf(tx: Tx, customerId: string): Promise<void> {
  await tx.execute(sql`select forget_leaves(${customerId})`);
}
