import { Refusal } from "#core/refusal.ts";
import { and, eq, gt } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { findLink } from "./find-link.ts";
import { newsletterSubscriptions } from "./schema.ts";
import { hashToken } from "./send-confirmation.ts";

/**
 * Confirms a subscription by the link that was mailed. Doing it twice is doing it once.
 *
 * @throws Refusal `newsletter/link-expired`, `newsletter/link-unknown`
 */
export async function confirmSubscription(
  db: Db,
  { token, now }: { token: string; now: Date },
): Promise<void> {
  const [confirmed] = await db
    .update(newsletterSubscriptions)
    .set({ state: "confirmed", confirmedAt: now })
    .where(
      and(
        eq(newsletterSubscriptions.confirmationSha256, hashToken(token)),
        eq(newsletterSubscriptions.state, "pending"),
        gt(newsletterSubscriptions.confirmationExpiresAt, now),
      ),
    )
    .returning({ id: newsletterSubscriptions.id });
  if (confirmed) return;
  const state = await findLink(db, token, now);
  if (state !== "confirmed")
    throw new Refusal(`newsletter/link-${state === "expired" ? "expired" : "unknown"}`);
}
