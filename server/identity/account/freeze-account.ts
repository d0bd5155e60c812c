import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { and, eq, gt, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { endEmailChange } from "../email-change/end-email-change.ts";
import { frozenMail } from "../mails.ts";
import { hashToken } from "../registration/issue-link.ts";
import { accountFreezes, freezeLinks, users } from "../schema.ts";
import type { ActingOperator } from "../staff/operator.ts";
import { recordAccountEvent } from "./account-events.ts";
import { actOnAccount } from "./act-on-account.ts";

export type FreezeLinkState = "open" | "used" | "expired" | "unknown";

/** What the owner reads after freezing the account. */
const byLink =
  "You, or somebody with your mail, froze the account by the link in a mail about security.";

/** What a freeze link would do now, without using it: mail scanners open links too. */
export async function inspectFreezeLink(
  db: Db | Tx,
  { token, now }: { token: string; now: Date },
): Promise<FreezeLinkState> {
  const [link] = await db
    .select({ expiresAt: freezeLinks.expiresAt, usedAt: freezeLinks.usedAt })
    .from(freezeLinks)
    .where(eq(freezeLinks.tokenSha256, hashToken(token)));
  if (!link) return "unknown";
  if (link.usedAt) return "used";
  return link.expiresAt <= now ? "expired" : "open";
}

/**
 * Freezes an account by the link in a security mail, without signing in. Sessions end with it, by PostgreSQL. An
 * account that is frozen already stays so.
 *
 * @throws Refusal `identity/link-used`, `-expired` or `-unknown`
 */
export async function freezeByLink(
  { db, config }: { db: Db; config: Site },
  link: { token: string; clientAddress: string; userAgent: string; now: Date },
): Promise<void> {
  const { token, clientAddress, userAgent, now } = link;
  await db.transaction(async (tx) => {
    const [used] = await tx
      .update(freezeLinks)
      .set({ usedAt: now })
      .where(
        and(
          eq(freezeLinks.tokenSha256, hashToken(token)),
          isNull(freezeLinks.usedAt),
          gt(freezeLinks.expiresAt, now),
        ),
      )
      .returning({ userId: freezeLinks.userId });
    if (!used) {
      const state = await inspectFreezeLink(tx, { token, now });
      throw new Refusal(`identity/link-${state === "open" ? "used" : state}`);
    }
    const { userId } = used;
    if (!(await freeze(tx, { userId, by: "self", reason: byLink, auditId: null, now }))) return;
    const event = { userId, event: "account-frozen", by: "self" } as const;
    await recordAccountEvent(tx, { ...event, ipAddress: clientAddress, userAgent, now });
    await tellOwner(tx, config, { userId, reason: byLink, now });
  });
}

/**
 * Freezes a customer's account as staff, with a reason that the customer reads.
 *
 * @throws Refusal `identity/no-such-customer`, `identity/already-frozen`, `identity/operator-not-active`
 */
export async function freezeAsOperator(
  { db, config }: { db: Db; config: Site },
  operator: ActingOperator,
  { customerId, reason, now }: { customerId: string; reason: string; now: Date },
): Promise<void> {
  const about = { act: "identity/freeze-account", customerId, reason, now } as const;
  await actOnAccount(db, operator, about, async (tx, auditId) => {
    const done = await freeze(tx, { userId: customerId, by: "staff", reason, auditId, now });
    if (!done) throw new Refusal("identity/already-frozen");
    await tellOwner(tx, config, { userId: customerId, reason, now });
  });
}

/** False when it is frozen already. */
async function freeze(
  tx: Tx,
  as: { userId: string; by: "self" | "staff"; reason: string; auditId: string | null; now: Date },
): Promise<boolean> {
  const { userId, by, reason, auditId, now } = as;
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
  const done = await tx
    .insert(accountFreezes)
    .values({ id: randomUUIDv7(), userId, by, reason, frozenAt: now, frozenByAct: auditId })
    .onConflictDoNothing()
    .returning({ id: accountFreezes.id });
  if (done.length === 0) return false;
  await endEmailChange(tx, userId, "cancelled", now);
  return true;
}

async function tellOwner(
  tx: Tx,
  site: Site,
  { userId, reason, now }: { userId: string; reason: string; now: Date },
): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  if (!user) return;
  const content = frozenMail(site, { firstName: user.firstName, reason });
  await queueMail(tx, { to: user.email, userId, now, content });
}
