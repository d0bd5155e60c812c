import { and, eq, ne } from "#server/platform/sql.ts";
import { eraseThreadsOf } from "../contact/erase-threads-of.ts";
import { eraseTestimonialsOf } from "../content/erase-testimonials-of.ts";
import { discardDraftsOf } from "../deposits/slips/discard-drafts-of.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import { reopenAccount } from "../identity/account/close-account.ts";
import { erasePerson } from "../identity/account/erase-person.ts";
import { isFrozen } from "../identity/account/is-frozen.ts";
import { lockCustomer } from "../identity/account/lock-customer.ts";
import { eraseKycOf } from "../kyc/erase-kyc-of.ts";
import { forgetAddress } from "../newsletter/forget-address.ts";
import { forgetNoticesOf } from "../notices/forget-notices-of.ts";
import type { Db, Tx } from "../platform/database.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import { forgetMailsOf } from "../platform/mail/forget-mails-of.ts";
import type { Site } from "../platform/mail/layout.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { eraseLeavesOf } from "../proof/erase-leaves-of.ts";
import { eraseWordsAbout } from "../staff-notes/erase-words-about.ts";
import { eraseAddressesOf } from "../withdrawals/erase-addresses-of.ts";
import { listClosings } from "./find-closing.ts";
import { getSubject } from "./get-subject.ts";
import { isOwed } from "./is-owed.ts";
import { reopenedMail } from "./mails.ts";
import { accountClosings, dataExports } from "./schema.ts";

/**
 * Erases the customers who closed their account and did not change their mind. Each in one transaction: a process
 * that dies leaves a customer whole or erased, and the next run goes on.
 */
export async function eraseCustomers(
  db: Db,
  { site, now }: { site: Site; now: Date },
): Promise<{ erased: number }> {
  const due = inPages((after) => listClosings(db, "leaving", { after, eraseBy: now }));
  let erased = 0;
  await runEach(due, async ({ id }) => {
    if (await db.transaction((tx) => eraseOne(tx, id, { site, now }))) erased += 1;
  });
  return { erased };
}

async function eraseOne(
  tx: Tx,
  closingId: string,
  { site, now }: { site: Site; now: Date },
): Promise<boolean> {
  const isDue = and(eq(accountClosings.id, closingId), eq(accountClosings.state, "leaving"));
  const [closing] = await tx.select().from(accountClosings).where(isDue).for("update");
  // Taken back, or erased by another worker, a moment ago.
  if (!closing) return false;
  const { customerId } = closing;
  await lockCustomer(tx, customerId);
  const person = await getSubject(tx, customerId);
  // Somebody says that it was not him: staff look first.
  if (await isFrozen(tx, customerId)) return false;
  if (await isOwed(tx, customerId)) {
    await waitAgain(tx, { closingId, person, site, now });
    return false;
  }
  const { email, emailVerified } = person;
  await eraseThreadsOf(tx, customerId);
  await eraseTestimonialsOf(tx, customerId, now);
  if (emailVerified) await forgetAddress(tx, email, now);
  await eraseKycOf(tx, customerId, now);
  await eraseWordsAbout(tx, customerId);
  await eraseAddressesOf(tx, customerId);
  await eraseLeavesOf(tx, customerId);
  await discardDraftsOf(tx, customerId, now);
  await tx
    .update(dataExports)
    .set({ state: "ended", endedAt: now, secret: null })
    .where(and(eq(dataExports.customerId, customerId), ne(dataExports.state, "ended")));
  await forgetNoticesOf(tx, customerId);
  await forgetMailsOf(tx, { userId: customerId, ownEmail: emailVerified ? email : null });
  await recordAccountEvent(tx, { userId: customerId, event: "account-erased", by: "system", now });
  await erasePerson(tx, customerId, now);
  await tx
    .update(accountClosings)
    .set({ state: "erased", endedAt: now, returnTokenSha256: null })
    .where(eq(accountClosings.id, closingId));
  return true;
}

/** A payment came in after the account was closed: nobody is erased whom we owe something. */
async function waitAgain(
  tx: Tx,
  again: {
    closingId: string;
    person: { id: string; email: string; firstName: string };
    site: Site;
    now: Date;
  },
): Promise<void> {
  const { closingId, person, site, now } = again;
  await tx
    .update(accountClosings)
    .set({ state: "waiting", returnTokenSha256: null })
    .where(eq(accountClosings.id, closingId));
  await reopenAccount(tx, person.id);
  const content = reopenedMail(site, { firstName: person.firstName });
  await queueMail(tx, { to: person.email, userId: person.id, now, content });
}
