import { randomUUIDv7 } from "node:crypto";
import { hexToBytes } from "@noble/hashes/utils.js";
import { versionInForce } from "#core/legal/legal-versions.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { tally } from "../../platform/rate-limit.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { alreadyRegisteredMail } from "../mails.ts";
import { type PasswordSite, requireNotBreached } from "../passwords/breached-passwords.ts";
import { hashPassword, type Turn } from "../passwords/password.ts";
import { requireUncommonPassword } from "../passwords/password-quality.ts";
import { acceptedTexts, customers, users } from "../schema.ts";
import { limits } from "../sign-in/limits.ts";
import { insertUser } from "./insert-user.ts";
import { sendVerificationLink } from "./send-verification-link.ts";

export interface NewCustomer {
  firstName: string;
  lastName: string;
  email: string;
  passwordHash: string;
  clientAddress?: string;
  userAgent?: string;
  site: PasswordSite;
  /** When the terms were accepted, which is also when the account begins. */
  now: Date;
}

export interface Registration extends Omit<NewCustomer, "passwordHash"> {
  password: string;
  turn?: Turn;
  /** Counts the attempt, once there is room to hash the password. */
  count?: () => Promise<void>;
}

/**
 * Registers a customer and mails the link that verifies the address, in one transaction.
 *
 * For a taken address the same work is done and a mail goes to its owner instead, so that neither the time
 * nor, beyond the refusal itself, the answer tells more.
 *
 * @throws Refusal `identity/email-taken`, after that mail was committed; `identity/password-too-common`,
 * `-is-a-name` or `-breached`, before the address is looked at
 * @throws Busy when too many wait to be hashed, uncounted; and what `count` throws
 */
export async function registerCustomer(
  db: Db,
  registration: Registration,
): Promise<{ customerId: string; passwordHash: string }> {
  const { password, site, turn, count } = registration;
  const email = registration.email.toLowerCase();
  const { firstName, lastName } = registration;
  requireUncommonPassword(password, { email, firstName, lastName, siteName: site.siteName });
  await requireNotBreached(password, site);
  const passwordHash = await hashPassword(password, turn, count);
  return { ...(await addCustomer(db, { ...registration, passwordHash })), passwordHash };
}

/**
 * The same for a password that was looked at and hashed: of many customers who share one, it is hashed once.
 *
 * @throws Refusal `identity/email-taken`, after the mail to the owner was committed
 */
export async function addCustomer(db: Db, customer: NewCustomer): Promise<{ customerId: string }> {
  const { now, site, firstName } = customer;
  const email = customer.email.toLowerCase();
  const id = randomUUIDv7();
  const added = await db.transaction(async (tx) => {
    const free = await insertUser(tx, { ...customer, id, kind: "customer" });
    if (!free) return tellOwner(tx, { email, site, now });
    await tx.insert(customers).values({ id, acceptedTermsAt: now, createdAt: now });
    await tx.insert(acceptedTexts).values(textsInForce(id, now));
    const event = { userId: id, event: "registered", by: "self" } as const;
    const { clientAddress: ipAddress = null, userAgent = null } = customer;
    await recordAccountEvent(tx, { ...event, ipAddress, userAgent, now });
    await sendVerificationLink(tx, { userId: id, email, firstName, site, now });
    return true;
  });
  if (!added) throw new Refusal("identity/email-taken");
  return { customerId: id };
}

/** What the checkbox says that the customer accepts, as it stands today. */
function textsInForce(customerId: string, now: Date) {
  return (["terms", "privacy"] as const).map((text) => {
    const { version, sha256 } = versionInForce(text, utcDay(now));
    return { customerId, text, version, sha256: hexToBytes(sha256), acceptedAt: now };
  });
}

async function tellOwner(
  tx: Tx,
  { email, site, now }: { email: string; site: Site; now: Date },
): Promise<false> {
  const [owner] = await tx
    .select({ id: users.id, firstName: users.firstName })
    .from(users)
    .where(eq(users.email, email));
  const { alreadyRegistered } = limits;
  if (owner && (await tally(tx, alreadyRegistered, email, now)) <= alreadyRegistered.max) {
    const content = alreadyRegisteredMail(site, owner);
    await queueMail(tx, { to: email, userId: owner.id, now, content, countedElsewhere: true });
  }
  return false;
}
