import { eq, inArray } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { forgetMails } from "../platform/mail/forget-mails.ts";
import { listMailsAbout } from "./list-mails-about.ts";
import { newsletterSubscriptions } from "./schema.ts";

const s = newsletterSubscriptions;

/** Ends every subscription of an address and forgets it, with the mails that went there. */
export async function forgetAddress(tx: Tx, email: string, now: Date): Promise<void> {
  const theirs = await tx
    .select({ id: s.id, state: s.state })
    .from(s)
    .where(eq(s.email, email))
    .for("update");
  const ids = theirs.map(({ id }) => id);
  if (ids.length === 0) return;
  await forgetMails(tx, await listMailsAbout(tx, ids));
  const live = theirs.filter(({ state }) => state !== "ended").map(({ id }) => id);
  if (live.length > 0) {
    await tx
      .update(s)
      .set({ state: "ended", endedAt: now, endedBy: "page", confirmationSha256: null })
      .where(inArray(s.id, live));
  }
  await tx.update(s).set({ email: null }).where(inArray(s.id, ids));
}
