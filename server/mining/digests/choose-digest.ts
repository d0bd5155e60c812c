import type { DigestEvery } from "#core/notice-events.ts";
import { Refusal } from "#core/refusal.ts";
import { sql } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../../identity/account/account-events.ts";
import { type Browser, markOf } from "../../identity/settings/settings.ts";
import { asInserted } from "../../platform/database/as-inserted.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { digestChoices } from "../schema.ts";
import { getDigestChoice } from "./get-digest-choice.ts";

/**
 * Sets how often a customer gets a digest of what was mined. Choosing the same again changes nothing.
 *
 * @throws Refusal `identity/changed-meanwhile` when `seen` is not the mark of the choice that stands there now.
 */
export async function chooseDigest(
  db: Db,
  choice: { customerId: string; every: DigestEvery; seen: string; browser: Browser; now: Date },
): Promise<void> {
  const { customerId, every, browser, now } = choice;
  await db.transaction(async (tx) => {
    await lockPerson(tx, customerId);
    const current = await getDigestChoice(tx, customerId);
    if (current === every) return;
    if (markOf({ digest: current }) !== choice.seen)
      throw new Refusal("identity/changed-meanwhile");
    await tx
      .insert(digestChoices)
      .values({ customerId, every, chosenAt: now })
      .onConflictDoUpdate({
        target: digestChoices.customerId,
        set: asInserted(digestChoices, "every", "chosenAt"),
      });
    const detail = { digest: every };
    const event = { userId: customerId, event: "notices-chosen", by: "self", detail } as const;
    await recordAccountEvent(tx, { ...event, ...browser, now });
  });
}

/** Two tabs that choose at once choose one after the other. */
async function lockPerson(tx: Tx, customerId: string): Promise<void> {
  await tx.execute(sql`select from customers where id = ${customerId}::uuid for update`);
}
