import { createHash, randomBytes, randomUUIDv7 } from "node:crypto";
import { confirmationHours } from "#core/newsletter.ts";
import { and, eq, ne } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { alreadySubscribedMail, confirmationMail } from "./mails.ts";
import { newsletterMails, newsletterSubscriptions } from "./schema.ts";
import { confirmationUrl, leavingUrl } from "./subscription.ts";

export interface Wish {
  email: string;
  source: string;
  textVersion: number;
  askedAt: string;
}

type Subscription = typeof newsletterSubscriptions.$inferSelect;

/**
 * Mails the link that confirms a subscription, or, to who is subscribed already, that he is. A newer link ends the older one. However
 * often the job runs, one mail leaves.
 */
export async function sendConfirmation(
  db: Db,
  { wish, site, now }: { wish: Wish; site: Site; now: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [live] = await tx
      .select()
      .from(newsletterSubscriptions)
      .where(
        and(
          eq(newsletterSubscriptions.email, wish.email),
          ne(newsletterSubscriptions.state, "ended"),
        ),
      )
      .for("update");
    if (live?.state === "confirmed") return tellThatSubscribed(tx, live, wish, site, now);
    const askedAt = new Date(wish.askedAt);
    if (live && live.askedAt >= askedAt) return;
    await ask(tx, live, wish, site, now);
  });
}

async function tellThatSubscribed(
  tx: Tx,
  live: Subscription,
  wish: Wish,
  site: Site,
  now: Date,
): Promise<void> {
  const content = alreadySubscribedMail(site, leavingUrl(site.appUrl, live.leavingToken));
  await queue(tx, live.id, { wish, content, now });
}

async function ask(
  tx: Tx,
  live: Subscription | undefined,
  wish: Wish,
  site: Site,
  now: Date,
): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const asked = {
    askedAt: new Date(wish.askedAt),
    source: wish.source,
    textVersion: wish.textVersion,
    confirmationSha256: hashToken(token),
    confirmationExpiresAt: new Date(now.getTime() + confirmationHours * 3_600_000),
  };
  const id = live?.id ?? randomUUIDv7();
  if (live) {
    await tx
      .update(newsletterSubscriptions)
      .set(asked)
      .where(eq(newsletterSubscriptions.id, live.id));
  } else {
    const leavingToken = randomBytes(24).toString("base64url");
    await tx
      .insert(newsletterSubscriptions)
      .values({ id, email: wish.email, state: "pending", leavingToken, ...asked });
  }
  const content = confirmationMail(site, confirmationUrl(site.appUrl, token));
  await queue(tx, id, { wish, content, now });
}

/** One mail for one wish; it is forgotten with the address. */
async function queue(
  tx: Tx,
  subscriptionId: string,
  { wish, content, now }: { wish: Wish; content: RenderedMail; now: Date },
): Promise<void> {
  const key = `newsletter-wish:${subscriptionId}:${wish.askedAt}`;
  const { mailId } = await queueMail(tx, { to: wish.email, userId: null, content, key, now });
  if (mailId) await tx.insert(newsletterMails).values({ mailId, subscriptionId });
}

/** What is kept of a token. 256 random bits need no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
