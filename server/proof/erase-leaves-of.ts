import type { Tx } from "#server/platform/database.ts";
import { eq } from "#server/platform/sql.ts";
import { proofLeaves } from "./schema.ts";

/** Forgets which leaves of the trees were somebody's who left. The trees stay, and with them everybody else's path. */
export async function eraseLeavesOf(tx: Tx, customerId: string): Promise<void> {
  await tx.delete(proofLeaves).where(eq(proofLeaves.customerId, customerId));
}
