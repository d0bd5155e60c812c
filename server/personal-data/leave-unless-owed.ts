import { randomBytes } from "node:crypto";
import { retention } from "#core/retention.ts";
import { eq } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import { closeAccount } from "../identity/account/close-account.ts";
import { hashToken } from "../identity/registration/issue-link.ts";
import type { Tx } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { getSubject } from "./get-subject.ts";
import { isOwed } from "./is-owed.ts";
import { closedMail } from "./mails.ts";
import { postWhatFollows } from "./post-remainder.ts";
import { accountClosings } from "./schema.ts";

interface Closing {
  closingId: string;
  customerId: string;
  site: Site;
  now: Date;
}

/**
 * Closes an account that waits to be closed and whose owner the caller has locked, unless something is owed. What arrived since its
 * owner left remainders in this closing follows them, if nothing else is owed: `postWhatFollows`.
 */
export async function leaveUnlessOwed(tx: Tx, closing: Closing): Promise<{ hasLeft: boolean }> {
  const isFree = !(await isOwed(tx, closing.customerId)) || (await postWhatFollows(tx, closing));
  if (!isFree) return { hasLeft: false };
  await leave(tx, closing);
  return { hasLeft: true };
}

async function leave(tx: Tx, { closingId, customerId, site, now }: Closing): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const eraseAfter = new Date(now.getTime() + retention.changeOfMindDays * 86_400_000);
  await tx
    .update(accountClosings)
    .set({ state: "leaving", closedAt: now, eraseAfter, returnTokenSha256: hashToken(token) })
    .where(eq(accountClosings.id, closingId));
  await closeAccount(tx, customerId, now);
  await recordAccountEvent(tx, { userId: customerId, event: "account-closed", by: "system", now });
  const { email, firstName } = await getSubject(tx, customerId);
  const url = `${site.appUrl}/keep-account?token=${token}`;
  const content = closedMail(site, { firstName, url, eraseAfter });
  await queueMail(tx, { to: email, userId: customerId, now, content });
}
