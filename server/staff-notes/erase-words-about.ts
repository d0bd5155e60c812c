import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { customerFlags, staffNotes } from "./schema.ts";

/** Deletes what staff wrote about a customer who has left. PostgreSQL lets it happen to a closed account only. */
export async function eraseWordsAbout(tx: Tx, customerId: string): Promise<void> {
  await tx.delete(staffNotes).where(eq(staffNotes.customerId, customerId));
  await tx.delete(customerFlags).where(eq(customerFlags.customerId, customerId));
}
