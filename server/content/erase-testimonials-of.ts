import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { testimonialConsents } from "./schema.ts";

/** Takes a customer's words off the site and deletes them. That he was asked, and by which act, stays. */
export async function eraseTestimonialsOf(tx: Tx, customerId: string, now: Date): Promise<void> {
  const isTheirs = eq(testimonialConsents.customerId, customerId);
  // A trigger takes the slide away with the consent.
  await tx
    .update(testimonialConsents)
    .set({ endedAt: now, endedBy: "revoked" })
    .where(and(isTheirs, isNull(testimonialConsents.endedAt)));
  await tx.delete(testimonialConsents).where(isTheirs);
}
