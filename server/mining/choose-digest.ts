import { eq } from "drizzle-orm";
import { recordAccountEvent } from "../identity/account-events.ts";
import type { Browser } from "../identity/settings.ts";
import { asInserted } from "../platform/as-inserted.ts";
import type { Db } from "../platform/database.ts";
import { type DigestEvery, digestChoices } from "./schema.ts";

/** Sets how often a customer gets a digest of what was credited. Choosing the same again changes nothing. */
export async function chooseDigest(
  db: Db,
  choice: { customerId: string; every: DigestEvery; browser: Browser; now: Date },
): Promise<void> {
  const { customerId, every, browser, now } = choice;
  await db.transaction(async (tx) => {
    const [current] = await tx
      .select({ every: digestChoices.every })
      .from(digestChoices)
      .where(eq(digestChoices.customerId, customerId))
      .for("update");
    if ((current?.every ?? "week") === every) return;
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
