import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { newsletterSubscriptions } from "./schema.ts";
import { hashToken } from "./send-confirmation.ts";
import { isLeavingToken } from "./subscription.ts";

const s = newsletterSubscriptions;

/** What a link that confirms would do now, without doing it: mail scanners open links too. */
export async function findLink(
  db: Db | Tx,
  token: string,
  now: Date,
): Promise<"open" | "expired" | "confirmed" | "unknown"> {
  const [found] = await db
    .select({ state: s.state, expiresAt: s.confirmationExpiresAt })
    .from(s)
    .where(eq(s.confirmationSha256, hashToken(token)));
  if (!found || found.state === "ended") return "unknown";
  if (found.state === "confirmed") return "confirmed";
  return found.expiresAt <= now ? "expired" : "open";
}

/** What a link that ends a subscription would do now. */
export async function findLeavingLink(
  db: Db,
  token: string,
): Promise<"open" | "ended" | "unknown"> {
  if (!isLeavingToken(token)) return "unknown";
  const [found] = await db.select({ state: s.state }).from(s).where(eq(s.leavingToken, token));
  if (!found) return "unknown";
  return found.state === "ended" ? "ended" : "open";
}
