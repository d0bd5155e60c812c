import { Refusal } from "#core/refusal.ts";
import { and, eq, gt, inArray, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { mailedLinks } from "../schema.ts";
import { hashToken, type LinkPurpose } from "./issue-link.ts";

export type LinkState = "open" | "used" | "replaced" | "expired" | "unknown";

export interface UsedLink {
  userId: string;
  email: string;
  purpose: LinkPurpose;
}

/**
 * Uses a link, once: of several requests at the same time one succeeds.
 *
 * @throws Refusal `identity/link-used`, `-replaced`, `-expired` or `-unknown`
 */
export async function useLink(
  tx: Tx,
  link: { token: string; purposes: LinkPurpose[]; now: Date },
): Promise<UsedLink> {
  const { token, purposes, now } = link;
  const [used] = await tx
    .update(mailedLinks)
    .set({ usedAt: now })
    .where(
      and(
        eq(mailedLinks.tokenSha256, hashToken(token)),
        inArray(mailedLinks.purpose, purposes),
        isNull(mailedLinks.usedAt),
        isNull(mailedLinks.revokedAt),
        gt(mailedLinks.expiresAt, now),
      ),
    )
    .returning({
      userId: mailedLinks.userId,
      email: mailedLinks.email,
      purpose: mailedLinks.purpose,
    });
  if (used) return used;
  const { state } = await inspectLink(tx, link);
  throw new Refusal(`identity/link-${state === "open" ? "used" : state}`);
}

/** What a link would do now, without using it: mail scanners open links too. */
export async function inspectLink(
  db: Db | Tx,
  link: { token: string; purposes: LinkPurpose[]; now: Date },
): Promise<{
  state: LinkState;
  userId: string | null;
  email: string | null;
  purpose: LinkPurpose | null;
}> {
  const [found] = await db
    .select()
    .from(mailedLinks)
    .where(eq(mailedLinks.tokenSha256, hashToken(link.token)));
  if (!found || !link.purposes.includes(found.purpose)) {
    return { state: "unknown", userId: null, email: null, purpose: null };
  }
  const { userId, email, purpose } = found;
  return { state: stateOf(found, link.now), userId, email, purpose };
}

function stateOf(link: typeof mailedLinks.$inferSelect, now: Date): LinkState {
  if (link.usedAt) return "used";
  if (link.revokedAt) return "replaced";
  return link.expiresAt <= now ? "expired" : "open";
}
