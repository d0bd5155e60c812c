import { inArray } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { newsletterMails } from "./schema.ts";

/** The mails about these subscriptions. */
export async function listMailsAbout(tx: Tx, subscriptionIds: string[]): Promise<string[]> {
  const found = await tx
    .select({ id: newsletterMails.mailId })
    .from(newsletterMails)
    .where(inArray(newsletterMails.subscriptionId, subscriptionIds));
  return found.map(({ id }) => id);
}
