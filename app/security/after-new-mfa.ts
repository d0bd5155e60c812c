import type { ActResult } from "#app/run-act.ts";
import { getSecurityFacts } from "#server/identity/account/get-security-facts.ts";
import type { Actor } from "#server/identity/audit/actor.ts";
import type { Db } from "#server/platform/database.ts";
import { nextInside } from "./next-inside.ts";

interface After {
  root: string;
  cookies: string[];
  /** Where the customer was going when the second factor was asked for: the page's `?next=`. */
  next: string | null;
}

/** An account that has no recovery codes yet makes them next; then it goes on to where it was going. */
export async function afterNewMfa(
  db: Db,
  actor: Actor,
  { root, cookies, next }: After,
): Promise<ActResult> {
  const { recoveryCodesLeft } = await getSecurityFacts(db, actor.userId, actor.now);
  const onwards = nextInside(next, root);
  const query = next ? `?next=${encodeURIComponent(onwards)}` : "";
  const to = recoveryCodesLeft > 0 ? onwards : `${root}/recovery-codes${query}`;
  return { to, say: "factor-added", cookies };
}
