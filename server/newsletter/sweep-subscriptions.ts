import { retention } from "#core/retention.ts";
import { and, asc, eq, gt, isNotNull, lt, type SQL } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { inPages, runEach } from "../platform/jobs/run-each.ts";
import { forgetMails } from "../platform/mail/forget-mails.ts";
import { listMailsAbout } from "./list-mails-about.ts";
import { newsletterSubscriptions } from "./schema.ts";

const dayMs = 86_400_000;
const atOnce = 200;

const s = newsletterSubscriptions;

/** Deletes what nobody confirmed, and forgets the addresses of who left, both with the mails that hold them (see `retention`). */
export async function sweepSubscriptions(db: Db, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const isUnconfirmed = and(
    eq(s.state, "pending"),
    lt(s.confirmationExpiresAt, ago(retention.unconfirmedSubscriptionDays)),
  );
  const hasLeft = and(
    eq(s.state, "ended"),
    isNotNull(s.email),
    lt(s.endedAt, ago(retention.endedSubscriptionDays)),
  );
  const works = [
    () => forEachOf(db, isUnconfirmed, deleteUnconfirmed),
    () => forEachOf(db, hasLeft, forgetWhoLeft),
  ];
  await runEach(works, (work) => work());
}

/** Each in a transaction of its own. */
function forEachOf(
  db: Db,
  which: SQL | undefined,
  work: (tx: Tx, id: string) => Promise<void>,
): Promise<void> {
  const listSome = (after: string) =>
    db
      .select({ id: s.id })
      .from(s)
      .where(and(which, gt(s.id, after)))
      .orderBy(asc(s.id))
      .limit(atOnce);
  return runEach(inPages(listSome), ({ id }) =>
    db.transaction(async (tx) => {
      const [found] = await tx
        .select({ id: s.id })
        .from(s)
        .where(and(which, eq(s.id, id)))
        .for("update", { skipLocked: true });
      if (found) await work(tx, id);
    }),
  );
}

async function deleteUnconfirmed(tx: Tx, id: string): Promise<void> {
  await forgetMails(tx, await listMailsAbout(tx, [id]));
  await tx.delete(s).where(eq(s.id, id));
}

/** What stays is when and how somebody agreed and left, without a name. */
async function forgetWhoLeft(tx: Tx, id: string): Promise<void> {
  await forgetMails(tx, await listMailsAbout(tx, [id]));
  await tx.update(s).set({ email: null }).where(eq(s.id, id));
}
