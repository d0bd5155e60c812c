import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { users } from "../schema.ts";
import { type Browser, markOf } from "./settings.ts";

/**
 * Gives a customer another name. Saving the same name changes nothing.
 *
 * @throws Refusal `identity/changed-meanwhile` when `seen` is not the mark of the name that stands there now.
 */
export async function changeName(
  db: Db,
  change: {
    userId: string;
    firstName: string;
    lastName: string;
    seen: string;
    browser: Browser;
    now: Date;
  },
): Promise<void> {
  const { userId, firstName, lastName, browser, now } = change;
  await db.transaction(async (tx) => {
    const [person] = await tx
      .select({ firstName: users.firstName, lastName: users.lastName })
      .from(users)
      .where(eq(users.id, userId))
      .for("update");
    if (!person) throw new Error(`no user ${userId}`);
    if (person.firstName === firstName && person.lastName === lastName) return;
    if (markOf(person) !== change.seen) throw new Refusal("identity/changed-meanwhile");
    await tx.update(users).set({ firstName, lastName, updatedAt: now }).where(eq(users.id, userId));
    await recordAccountEvent(tx, { userId, event: "name-changed", by: "self", ...browser, now });
  });
}
