import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { newsletterSubscriptions } from "./schema.ts";
import { type EndedBy, isLeavingToken } from "./subscription.ts";

/**
 * Ends a subscription by its link, which every issue holds. Doing it twice is doing it once.
 *
 * @throws Refusal `newsletter/link-unknown`
 */
export async function endSubscription(
  db: Db,
  { token, by, now }: { token: string; by: EndedBy; now: Date },
): Promise<void> {
  if (!isLeavingToken(token)) throw new Refusal("newsletter/link-unknown");
  await db.transaction(async (tx) => {
    const [subscription] = await tx
      .select({ id: newsletterSubscriptions.id, state: newsletterSubscriptions.state })
      .from(newsletterSubscriptions)
      .where(eq(newsletterSubscriptions.leavingToken, token))
      .for("update");
    if (!subscription) throw new Refusal("newsletter/link-unknown");
    if (subscription.state === "ended") return;
    await tx
      .update(newsletterSubscriptions)
      .set({ state: "ended", endedAt: now, endedBy: by, confirmationSha256: null })
      .where(eq(newsletterSubscriptions.id, subscription.id));
  });
}
