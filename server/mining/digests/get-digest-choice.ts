import type { DigestEvery } from "#core/notice-events.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { eq } from "#server/platform/sql.ts";
import { digestChoices } from "../schema.ts";

/** How often a customer gets a digest of credits: every week, unless they chose something else. */
export async function getDigestChoice(db: Db | Tx, customerId: string): Promise<DigestEvery> {
  const [choice] = await db
    .select({ every: digestChoices.every })
    .from(digestChoices)
    .where(eq(digestChoices.customerId, customerId));
  return choice?.every ?? "week";
}
