import { eq } from "drizzle-orm";
import type { Tx } from "../platform/database.ts";
import { verificationDrafts } from "./schema.ts";

/**
 * Deletes what a customer entered and never submitted. What was submitted is kept as long as the law on money
 * laundering asks; documents go by the sweep.
 */
export async function eraseDraftOf(tx: Tx, customerId: string): Promise<void> {
  await tx.delete(verificationDrafts).where(eq(verificationDrafts.customerId, customerId));
}
