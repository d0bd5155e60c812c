import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { kycDrafts } from "./schema.ts";

/** Locks a customer's draft, so that changes in two windows happen one after the other. */
export async function lockDraft(
  tx: Tx,
  customerId: string,
  now: Date,
): Promise<typeof kycDrafts.$inferSelect> {
  await tx
    .insert(kycDrafts)
    .values({ customerId, updatedAt: now })
    .onConflictDoNothing({ target: kycDrafts.customerId });
  const [draft] = await tx
    .select()
    .from(kycDrafts)
    .where(eq(kycDrafts.customerId, customerId))
    .for("update");
  if (!draft) throw new Error("the draft just made is not there");
  return draft;
}
