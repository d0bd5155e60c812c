import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { notices } from "./schema.ts";

/** Deletes what a customer was told, when his account is erased. */
export async function forgetNoticesOf(tx: Tx, customerId: string): Promise<void> {
  await tx.delete(notices).where(eq(notices.customerId, customerId));
}
