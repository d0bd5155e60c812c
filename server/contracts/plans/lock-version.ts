import { Refusal } from "#core/refusal.ts";
import type { Tx } from "#server/platform/database.ts";
import { eq } from "#server/platform/sql.ts";
import { planVersions } from "../schema.ts";
import type { PlanVersion } from "./plan.ts";

/** A version of a plan, held until the transaction ends. */
export async function lockVersion(tx: Tx, versionId: string): Promise<PlanVersion> {
  const [version] = await tx
    .select()
    .from(planVersions)
    .where(eq(planVersions.id, versionId))
    .for("update");
  if (!version) throw new Refusal("plans/no-such-version");
  return version;
}
