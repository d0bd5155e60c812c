import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { users } from "../schema.ts";
import { useLink } from "./use-link.ts";

/**
 * Records that a customer has the mailbox that they registered with.
 *
 * @throws Refusal `identity/link-used`, `-replaced`, `-expired` or `-unknown`
 */
export async function verifyEmail(db: Db, link: { token: string; now: Date }): Promise<void> {
  await db.transaction(async (tx) => {
    const { userId, email } = await useLink(tx, { ...link, purposes: ["verify-email"] });
    const verified = await tx
      .update(users)
      .set({ emailVerified: true, updatedAt: link.now })
      .where(and(eq(users.id, userId), eq(users.email, email)))
      .returning({ id: users.id });
    // The link was for an address that this customer no longer has.
    if (verified.length === 0) throw new Refusal("identity/link-replaced");
    const event = { userId, event: "email-verified", by: "self" } as const;
    await recordAccountEvent(tx, { ...event, now: link.now });
  });
}
