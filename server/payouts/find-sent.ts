import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { sentBefore } from "../platform/sent-before.ts";
import { poolPayouts } from "./schema.ts";

/**
 * The payout that is there under the id which a form brought along: such a form may arrive more than once. Null: it is the first.
 *
 * @throws Refusal `otherwise`, where the form said something else before
 */
export async function findSent(
  tx: Tx,
  payoutId: string,
  said: Partial<typeof poolPayouts.$inferSelect>,
  otherwise: string,
) {
  const [sent] = await tx.select().from(poolPayouts).where(eq(poolPayouts.id, payoutId));
  return sentBefore(sent, said, otherwise) ? sent : null;
}
