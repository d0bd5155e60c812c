import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { findPhraseOf, keepPhrase } from "../../platform/mail/phrase.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { users } from "../schema.ts";
import { type Browser, markOf } from "./settings.ts";

/**
 * Sets the phrase that every mail to this customer carries from now on; null: none. The history says that it was
 * changed, not what it is.
 *
 * @throws Refusal `identity/changed-meanwhile` when `seen` is not the mark of the phrase that stands there now.
 */
export async function changePhrase(
  db: Db,
  change: {
    userId: string;
    phrase: string | null;
    seen: string;
    browser: Browser;
    now: Date;
  },
): Promise<void> {
  const { userId, phrase, browser, now } = change;
  await db.transaction(async (tx) => {
    const [person] = await tx
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, userId))
      .for("update");
    if (!person) throw new Error(`no user ${userId}`);
    const current = await findPhraseOf(tx, userId);
    if (current === phrase) return;
    if (markOf({ phrase: current }) !== change.seen) {
      throw new Refusal("identity/changed-meanwhile");
    }
    await keepPhrase(tx, { userId, recipient: person.email, phrase, now });
    await recordAccountEvent(tx, { userId, event: "phrase-changed", by: "self", ...browser, now });
  });
}
