import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { verificationDrafts } from "./schema.ts";

/** Takes a customer's draft, so that what he does at once in two windows happens one after the other. */
export async function lockDraft(
  tx: Tx,
  customerId: string,
  now: Date,
): Promise<typeof verificationDrafts.$inferSelect> {
  await tx
    .insert(verificationDrafts)
    .values({ customerId, updatedAt: now })
    .onConflictDoNothing({ target: verificationDrafts.customerId });
  const [draft] = await tx
    .select()
    .from(verificationDrafts)
    .where(eq(verificationDrafts.customerId, customerId))
    .for("update");
  if (!draft) throw new Error("the draft just made is not there");
  return draft;
}
