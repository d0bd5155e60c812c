import { randomUUIDv7 } from "node:crypto";
import { type LateFact, latePlaces, passesByItself, sayLate, subjectOfLate } from "#core/late.ts";
import { may } from "#core/permissions.ts";
import { listStaff, type StaffMember } from "#server/identity/staff/list-staff.ts";
import type { Config } from "#server/platform/config.ts";
import { flag, getRow } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import type { Site } from "#server/platform/mail/layout.ts";
import { queueMail } from "#server/platform/mail/queue-mail.ts";
import { and, eq, inArray, isNotNull, isNull, lt, or, sql } from "#server/platform/sql.ts";
import { alarms } from "../schema.ts";
import { listLateFacts, listLateFactsAndWorker, type Seen } from "../today/list-late.ts";
import { readSeen } from "../today/read-seen.ts";
import { alarmMail, type TellingOf } from "./alarm-mail.ts";
import { findSilence } from "./list-alarms.ts";

const minute = 60_000;
/** What is over before that is not worth a mail, and what comes back before that was not over. */
const lastsMs = 3 * minute;
const goneMs = 10 * minute;
const remindEveryMs = 24 * 60 * minute;
/** What passes by itself and came again within hours comes and goes: it has to last. */
const againWithinMs = 6 * 60 * minute;
const lastsAgainMs = 30 * minute;

/** By subject. */
type Late = Map<string, LateFact>;

interface Context {
  db: Db;
  config: Site & Seen["config"] & Pick<Config, "confirmations">;
  now: Date;
}

/**
 * Notes what is late and what is late no more, and mails it to the staff who may do something about it: when it has lasted three
 * minutes, once a day while it goes on, and when it was over for ten minutes. All that is due to a person is one mail. Any number of
 * processes may call it at once: one does it, the others do nothing.
 */
export async function tellAlarms({ db, config, now }: Context): Promise<void> {
  const [seen, staff] = await Promise.all([readSeen(db, config, now), listStaff(db)]);
  const facts = listLateFacts(seen);
  const late = listLateFactsAndWorker(seen);
  await db.transaction(async (tx) => {
    const { taken } = await getRow(
      tx,
      sql`select pg_try_advisory_xact_lock(hashtextextended('alarms', 0)) as taken`,
      { taken: flag },
    );
    if (!taken) return;
    // Two of one subject would be one alarm.
    const bySubject = new Map(late.map((each) => [subjectOfLate(each), each]));
    await noteLate(tx, bySubject, now);
    await endGone(tx, facts, now);
    if (await findSilence(tx, now)) return;
    await tellDue(tx, { late: bySubject, staff, site: config, now });
  });
}

async function noteLate(tx: Tx, late: Late, now: Date): Promise<void> {
  if (late.size === 0) return;
  const rows = [...late].map(([subject, fact]) => ({
    id: randomUUIDv7(),
    subject,
    kind: fact.kind,
    words: sayLate(fact).slice(0, 500),
    lateSince: fact.since,
    begunAt: now,
    seenAt: now,
  }));
  await tx
    .insert(alarms)
    .values(rows)
    .onConflictDoUpdate({
      target: alarms.subject,
      targetWhere: isNull(alarms.endedAt),
      set: {
        words: sql`excluded.words`,
        lateSince: sql`excluded.late_since`,
        seenAt: sql`greatest(${alarms.begunAt}, excluded.seen_at)`,
      },
    });
}

/**
 * What was not late for long enough is over. What is not asked now may go on all the same, and what is not told because no worker runs
 * does.
 */
async function endGone(tx: Tx, facts: LateFact[], now: Date): Promise<void> {
  const going = facts.map((fact) => {
    const subject = subjectOfLate(fact);
    const unknown = subject.replace("-silent", "");
    if (unknown === subject) return eq(alarms.subject, subject);
    // A pool's name may begin as another's does; of a chain each health is unknown, and of prices each coin.
    const ofAll =
      fact.kind !== "pool-silent" && sql`starts_with(${alarms.subject}, ${`${unknown} `})`;
    return or(inArray(alarms.subject, [subject, unknown]), ofAll || undefined);
  });
  if (going.length > 0)
    await tx
      .update(alarms)
      .set({ seenAt: sql`greatest(${alarms.seenAt}, ${now.toISOString()}::timestamptz)` })
      .where(and(isNull(alarms.endedAt), or(...going)));
  await tx
    .update(alarms)
    .set({ endedAt: sql`${alarms.seenAt}` })
    .where(and(isNull(alarms.endedAt), lt(alarms.seenAt, ago(now, goneMs))));
}

interface Telling {
  /** What is late now. */
  late: Late;
  staff: StaffMember[];
  site: Site;
  now: Date;
}

async function tellDue(tx: Tx, { late, staff, site, now }: Telling): Promise<void> {
  const ofThese = (which: (fact: LateFact) => boolean) =>
    inArray(
      alarms.subject,
      [...late].flatMap(([subject, fact]) => (which(fact) ? [subject] : [])),
    );
  const cameAgain = sql`exists (
    select from alarms before
     where before.subject = ${alarms.subject} and before.ended_at > ${alarms.begunAt} - ${interval(againWithinMs)} and before.told_at is not null)`;
  const lasted = sql`${alarms.seenAt} >= ${alarms.begunAt} + case when ${ofThese(passesByItself)} and ${cameAgain} then ${interval(lastsAgainMs)} else ${interval(lastsMs)} end`;
  const due = await tx
    .select()
    .from(alarms)
    .where(
      or(
        and(
          isNull(alarms.endedAt),
          ofThese(() => true),
          or(and(isNull(alarms.toldAt), lasted), lt(alarms.remindedAt, ago(now, remindEveryMs))),
        ),
        and(isNotNull(alarms.endedAt), isNotNull(alarms.toldAt), isNull(alarms.clearedAt)),
      ),
    )
    .orderBy(alarms.begunAt, alarms.id);
  // Of a kind that another version knew nothing can be said.
  const known = due.flatMap(({ kind, ...alarm }) =>
    isLateKind(kind) ? [{ ...alarm, kind, of: tellingOf(alarm) }] : [],
  );
  const told = new Set<string>();
  for (const { id, email, role, state } of staff) {
    const own = known.filter(({ kind }) => may(role, latePlaces[kind].acts));
    if (state !== "active" || own.length === 0) continue;
    await queueMail(tx, { to: email, userId: id, content: alarmMail(site, own), now });
    for (const alarm of own) told.add(alarm.id);
  }
  const mark = async (of: TellingOf, set: Partial<typeof alarms.$inferInsert>) => {
    const ids = known.filter((each) => each.of === of && told.has(each.id)).map(({ id }) => id);
    if (ids.length > 0) await tx.update(alarms).set(set).where(inArray(alarms.id, ids));
  };
  await mark("begun", { toldAt: now, remindedAt: now });
  await mark("goes on", { remindedAt: now });
  // Also those that no colleague may act on any more.
  const over = due.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id);
  if (over.length > 0)
    await tx
      .update(alarms)
      .set({ clearedAt: sql`greatest(${alarms.toldAt}, ${now.toISOString()}::timestamptz)` })
      .where(inArray(alarms.id, over));
}

function tellingOf({
  endedAt,
  toldAt,
}: Pick<typeof alarms.$inferSelect, "endedAt" | "toldAt">): TellingOf {
  if (endedAt) return "over";
  return toldAt ? "goes on" : "begun";
}

function isLateKind(kind: string): kind is LateFact["kind"] {
  return Object.hasOwn(latePlaces, kind);
}

function interval(ms: number) {
  return sql`${`${ms} milliseconds`}::interval`;
}

function ago(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
