import { Refusal } from "#core/refusal.ts";
import { and, eq, inArray, isNull, or } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { holdMoney } from "../account/hold-money.ts";
import { isFrozen } from "../account/is-frozen.ts";
import { queueSecurityMail } from "../account/queue-security-mail.ts";
import { hashToken } from "../registration/issue-link.ts";
import type { LinkState } from "../registration/use-link.ts";
import { emailChanges, mailedLinks, users } from "../schema.ts";
import type { Browser } from "../settings/settings.ts";

type Change = typeof emailChanges.$inferSelect;

/** What became of a change with the link that was followed. */
export type Agreement = "changed" | "waits-for-old" | "waits-for-new";

/**
 * Notes that one of the two addresses agrees. With the second of them the address changes: money stays for a day,
 * links that were mailed to the old address end, and both addresses are told.
 *
 * @throws Refusal `identity/link-used`, `-replaced`, `-expired` or `-unknown`; `identity/email-not-available` when
 * somebody else has taken the address meanwhile, after that was written down; `identity/account-frozen`, which leaves
 * the link as it was.
 */
export async function confirmEmailChange(
  db: Db,
  confirmation: { token: string; browser: Browser; site: Site; now: Date },
): Promise<Agreement> {
  const { token, browser, site, now } = confirmation;
  const outcome = await db.transaction(async (tx) => {
    const { change, agreed } = await agree(tx, token, now);
    if (!agreed.oldConfirmedAt) return "waits-for-old" as const;
    if (!agreed.newConfirmedAt) return "waits-for-new" as const;
    const changed = await changeEmail(tx, change, now);
    await tx
      .update(emailChanges)
      .set({ endedAt: now, outcome: changed ? "changed" : "refused" })
      .where(eq(emailChanges.id, change.id));
    if (changed) await tell(tx, change, { browser, site, now });
    return changed ? ("changed" as const) : null;
  });
  if (outcome === null) throw new Refusal("identity/email-not-available");
  return outcome;
}

/** Uses one of the two links, once. */
async function agree(tx: Tx, token: string, now: Date) {
  await lockOwner(tx, token);
  const [change] = await tx.select().from(emailChanges).where(isOf(token)).for("update");
  const { state, side } = look(change ?? null, token, now);
  if (!change || state !== "open") throw new Refusal(`identity/link-${state}`);
  if (await isFrozen(tx, change.userId)) throw new Refusal("identity/account-frozen");
  const agreed = {
    oldConfirmedAt: side === "old" ? now : change.oldConfirmedAt,
    newConfirmedAt: side === "new" ? now : change.newConfirmedAt,
  };
  await tx.update(emailChanges).set(agreed).where(eq(emailChanges.id, change.id));
  return { change, agreed };
}

/** The account first, then its change, as whatever ends a change does: they would wait for each other otherwise. */
async function lockOwner(tx: Tx, token: string): Promise<void> {
  const whose = tx.select({ id: emailChanges.userId }).from(emailChanges).where(isOf(token));
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, whose)).for("update");
}

/** What a link would do now, without using it: mail scanners open links too. */
export async function inspectEmailChange(
  db: Db,
  link: { token: string; now: Date },
): Promise<{ state: LinkState; side: "old" | "new"; newEmail: string | null }> {
  const [found] = await db.select().from(emailChanges).where(isOf(link.token));
  return { ...look(found ?? null, link.token, link.now), newEmail: found?.newEmail ?? null };
}

/** The change that a customer has asked for and that can still be made, or null. */
export async function findOpenEmailChange(
  db: Db,
  userId: string,
  now: Date,
): Promise<Pick<
  Change,
  "newEmail" | "oldConfirmedAt" | "newConfirmedAt" | "askedAt" | "expiresAt"
> | null> {
  const e = emailChanges;
  const [open] = await db
    .select({
      newEmail: e.newEmail,
      oldConfirmedAt: e.oldConfirmedAt,
      newConfirmedAt: e.newConfirmedAt,
      askedAt: e.askedAt,
      expiresAt: e.expiresAt,
    })
    .from(e)
    .where(and(eq(e.userId, userId), isNull(e.endedAt)));
  return open && open.expiresAt > now ? open : null;
}

function isOf(token: string) {
  const hash = hashToken(token);
  return or(eq(emailChanges.oldTokenSha256, hash), eq(emailChanges.newTokenSha256, hash));
}

function look(
  change: Change | null,
  token: string,
  now: Date,
): { state: LinkState; side: "old" | "new" } {
  if (!change) return { state: "unknown", side: "old" };
  const isOld = Buffer.compare(change.oldTokenSha256, hashToken(token)) === 0;
  const side = isOld ? "old" : "new";
  const confirmedAt = isOld ? change.oldConfirmedAt : change.newConfirmedAt;
  if (confirmedAt) return { state: "used", side };
  if (change.endedAt) return { state: "replaced", side };
  return { state: change.expiresAt <= now ? "expired" : "open", side };
}

/** False when the address was registered by somebody else since it was asked for. */
async function changeEmail(tx: Tx, change: Change, now: Date): Promise<boolean> {
  const { userId, oldEmail, newEmail: email } = change;
  const [taken] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (taken) return false;
  await holdMoney(tx, userId, "email-changed", now);
  const changed = await tx
    .update(users)
    .set({ email, emailVerified: true, updatedAt: now })
    .where(and(eq(users.id, userId), eq(users.email, oldEmail)))
    .returning({ id: users.id });
  if (changed.length === 0) return false;
  const isOpen = and(isNull(mailedLinks.usedAt), isNull(mailedLinks.revokedAt));
  await tx
    .update(mailedLinks)
    .set({ revokedAt: now })
    .where(and(eq(mailedLinks.userId, userId), isOpen));
  return true;
}

async function tell(
  tx: Tx,
  { userId, oldEmail, newEmail }: Change,
  { browser, site, now }: { browser: Browser; site: Site; now: Date },
): Promise<void> {
  const news = {
    what: "email-changed" as const,
    sentence: "The e-mail address of your account was changed, and both addresses agreed to it.",
    facts: [
      ["Old address", oldEmail],
      ["New address", newEmail],
    ] as Array<[string, string]>,
  };
  await queueSecurityMail(tx, { userId, news, oldEmail, site, now });
  await queueSecurityMail(tx, { userId, news, site, now });
  await recordAccountEvent(tx, {
    userId,
    event: "email-changed",
    by: "self",
    detail: { from: oldEmail, to: newEmail },
    ...browser,
    now,
  });
}
