import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { emailChanges } from "../schema.ts";

/**
 * Ends the change of address that waits for its confirmations, if there is one: its links are worth nothing then. Called
 * also where an owner shuts somebody out, who may have asked for it and hold one of the links.
 */
export async function endEmailChange(
  tx: Tx,
  userId: string,
  outcome: "replaced" | "cancelled",
  now: Date,
): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ endedAt: now, outcome })
    .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.endedAt)));
}
