import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { outages } from "./schema.ts";

/**
 * An outage to be changed, locked, with the row that replaced it, if any: `requireStanding` it before it is changed.
 *
 * @throws Refusal `fleet/no-such-outage`
 */
export async function lockOutage(tx: Tx, outageId: string) {
  const [outage] = await tx.select().from(outages).where(eq(outages.id, outageId)).for("update");
  if (!outage) throw new Refusal("fleet/no-such-outage");
  const [correction] = await tx
    .select({ id: outages.id })
    .from(outages)
    .where(eq(outages.corrects, outageId));
  return { ...outage, correctedBy: correction?.id ?? null };
}

/**
 * What was taken back or replaced changes no more.
 *
 * @throws Refusal `fleet/outage-changed-meanwhile`
 */
export function requireStanding(outage: Awaited<ReturnType<typeof lockOutage>>): void {
  if (outage.withdrawnAt || outage.correctedBy) throw new Refusal("fleet/outage-changed-meanwhile");
}
