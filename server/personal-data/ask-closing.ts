import { randomUUIDv7 } from "node:crypto";
import { eq } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import { lockCustomer } from "../identity/account/lock-customer.ts";
import { requirePassword } from "../identity/passwords/require-password.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db } from "../platform/database.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import type { Site } from "../platform/mail/layout.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { countAttempt, type Limit } from "../platform/rate-limit.ts";
import { cancelFinalPayments, lockFinalPayments } from "../withdrawals/final-payments.ts";
import { findOpenClosing, listClosings } from "./find-closing.ts";
import { getSubject } from "./get-subject.ts";
import { leaveUnlessOwed } from "./leave-unless-owed.ts";
import { closingWaitsMail } from "./mails.ts";
import { accountClosings } from "./schema.ts";

/** Each writes for ever, and so does taking it back. */
const closingsADay: Limit = { purpose: "personal-data/ask-closing", max: 5, windowMinutes: 1440 };

/**
 * Begins to close an account. With nothing owed it is closed at once, and can be opened again by a mailed link for
 * some days. With something owed the wish is written down, and the account closes once all is paid out. Asking again
 * changes nothing.
 *
 * @throws Refusal `identity/wrong-password`
 * @throws Busy, TooManyAttempts
 */
export async function askClosing(
  db: Db,
  asked: { customerId: string; password: string; browser: Browser; site: Site; now: Date },
): Promise<{ state: "waiting" | "leaving" }> {
  const { customerId, password, browser, site, now } = asked;
  await requirePassword(db, { userId: customerId, password, now });
  return db.transaction(async (tx) => {
    await lockCustomer(tx, customerId);
    const open = await findOpenClosing(tx, customerId);
    if (open) return { state: open.state as "waiting" | "leaving" };
    await countAttempt(tx, closingsADay, customerId, now);
    const closingId = randomUUIDv7();
    await tx
      .insert(accountClosings)
      .values({ id: closingId, customerId, state: "waiting", askedAt: now });
    await recordAccountEvent(tx, {
      userId: customerId,
      event: "closing-asked",
      by: "self",
      ...browser,
      now,
    });
    const { hasLeft } = await leaveUnlessOwed(tx, { closingId, customerId, site, now });
    if (hasLeft) return { state: "leaving" };
    const { email, firstName } = await getSubject(tx, customerId);
    const content = closingWaitsMail(site, { firstName });
    await queueMail(tx, { to: email, userId: customerId, now, content });
    return { state: "waiting" };
  });
}

/** Closes the accounts that waited and to which nothing is owed any more. */
export async function closeWhatWaited(db: Db, { site, now }: { site: Site; now: Date }) {
  const waiting = inPages((after) => listClosings(db, "waiting", { after }));
  await runEach(waiting, ({ id: closingId, customerId }) =>
    db.transaction(async (tx) => {
      await lockCustomer(tx, customerId);
      const open = await findOpenClosing(tx, customerId);
      if (open?.id !== closingId || open.state !== "waiting") return;
      await leaveUnlessOwed(tx, { closingId, customerId, site, now });
    }),
  );
}

/**
 * Takes the wish to leave back while the account is still open, and with it the final payments that were asked for: what was put
 * aside for them is available again. Doing it twice is doing it once.
 *
 * @throws Refusal `withdrawals/too-late` while a final payment is in a batch
 */
export async function withdrawClosing(
  db: Db,
  { customerId, browser, now }: { customerId: string; browser: Browser; now: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    const payments = await lockFinalPayments(tx, customerId);
    await lockCustomer(tx, customerId);
    const open = await findOpenClosing(tx, customerId);
    if (open?.state !== "waiting") return;
    await cancelFinalPayments(tx, payments, { browser, now });
    await tx
      .update(accountClosings)
      .set({ state: "kept", endedAt: now })
      .where(eq(accountClosings.id, open.id));
    await recordAccountEvent(tx, {
      userId: customerId,
      event: "closing-taken-back",
      by: "self",
      ...browser,
      now,
    });
  });
}
