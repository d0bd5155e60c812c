import type { Actor } from "#server/identity/actor.ts";
import { getSecurityFacts } from "#server/identity/queries.ts";
import type { Db } from "#server/platform/database.ts";
import { said } from "./said.ts";

/** Whoever has no recovery codes yet makes them next. */
export async function afterNewFactor(
  db: Db,
  actor: Actor,
  { root, cookies }: { root: string; cookies: string[] },
): Promise<Response> {
  const { recoveryCodesLeft } = await getSecurityFacts(db, actor.userId, actor.now);
  return said("factor-added", recoveryCodesLeft > 0 ? root : `${root}/recovery-codes`, cookies);
}
