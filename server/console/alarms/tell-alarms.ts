import { randomUUIDv7 } from "node:crypto";
import { type LateFact, latePlaces, sayLate, subjectOfLate } from "#core/late.ts";
import { isSilent } from "#core/payments/silence.ts";
import { may } from "#core/permissions.ts";
import { findUncredited } from "#server/chain/list-payments-to-settle.ts";
import { listStaff } from "#server/identity/staff/list-staff.ts";
import type { Config } from "#server/platform/config.ts";
import { flag, getRow } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { workerPeriodSeconds } from "#server/platform/jobs/worker-seen.ts";
import type { Site } from "#server/platform/mail/layout.ts";
import { queueMail } from "#server/platform/mail/queue-mail.ts";
import { and, eq, inArray, isNotNull, isNull, lt, or, sql } from "#server/platform/sql.ts";
import { alarms } from "../schema.ts";
import { listLateFacts, type Seen } from "../today/list-late.ts";
import { listWork } from "../today/list-work.ts";
import { readStanding } from "../today/read-standing.ts";
import { alarmMail, type TellingOf } from "./alarm-mail.ts";
import { findSilence } from "./list-alarms.ts";

const minute = 60_000;
/** What is over before that is not worth a mail, and what comes back before that was not over. */
const lastsMs = 3 * minute;
const goneMs = 10 * minute;
const remindEveryMs = 24 * 60 * minute;

/** What nobody asks or begins while no worker runs: that one says it. */
const ofTheWorker: ReadonlySet<LateFact["kind"]> = new Set([
  "chain-silent",
  "prices-silent",
  "pool-silent",
  "mails",
  "jobs",
]);

interface Context {
  db: Db;
  config: Site & Seen["config"] & Pick<Config, "confirmations">;
  now: Date;
}

/**
 * Notes what is late and what is late no more, and mails it to the staff who may do something about it: when it has lasted three
 * minutes, once a day while it goes on, and when it was over for ten minutes. All that is due to a person is one mail. Any number of
 * processes may call it: one does it, the others do nothing. A worker does each minute, and where none runs a web process.
 */
export async function tellAlarms({ db, config, now }: Context): Promise<void> {
  const [work, standing, uncredited] = await Promise.all([
    listWork(db, now),
    readStanding(db, now),
    findUncredited(db, config.confirmations),
  ]);
  const facts = listLateFacts({ standing, work, uncredited, config, now });
  const { workerSeenAt } = standing;
  const hasWorker = workerSeenAt !== null && !isSilent(workerSeenAt, workerPeriodSeconds, now);
  const late: LateFact[] = hasWorker
    ? facts
    : [
        { kind: "worker", since: workerSeenAt },
        ...facts.filter(({ kind }) => !ofTheWorker.has(kind)),
      ];
  await db.transaction(async (tx) => {
    const { taken } = await getRow(
      tx,
      sql`select pg_try_advisory_xact_lock(hashtextextended('alarms', 0)) as taken`,
      { taken: flag },
    );
    if (!taken) return;
    await noteLate(tx, late, now);
    // Without a worker nobody knows whether what it would have asked is over.
    if (hasWorker) await endGone(tx, now);
    if (!(await findSilence(tx, now))) await tellDue(db, tx, { site: config, now });
  });
}

async function noteLate(tx: Tx, late: LateFact[], now: Date): Promise<void> {
  // Two of one subject would be one alarm.
  const bySubject = new Map(late.map((each) => [subjectOfLate(each), each]));
  if (bySubject.size === 0) return;
  const rows = [...bySubject].map(([subject, fact]) => ({
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
        seenAt: sql`greatest(${alarms.seenAt}, excluded.seen_at)`,
      },
    });
}

async function endGone(tx: Tx, now: Date): Promise<void> {
  await tx
    .update(alarms)
    .set({ endedAt: sql`${alarms.seenAt}` })
    .where(and(isNull(alarms.endedAt), lt(alarms.seenAt, ago(now, goneMs))));
}

async function tellDue(db: Db, tx: Tx, { site, now }: { site: Site; now: Date }): Promise<void> {
  const due = await tx
    .select()
    .from(alarms)
    .where(
      or(
        and(
          isNull(alarms.endedAt),
          // Of this very look.
          eq(alarms.seenAt, now),
          or(
            and(
              isNull(alarms.toldAt),
              sql`${alarms.seenAt} >= ${alarms.begunAt} + ${`${lastsMs} milliseconds`}::interval`,
            ),
            lt(alarms.remindedAt, ago(now, remindEveryMs)),
          ),
        ),
        and(isNotNull(alarms.endedAt), isNotNull(alarms.toldAt), isNull(alarms.clearedAt)),
      ),
    )
    .orderBy(alarms.begunAt, alarms.id);
  if (due.length === 0) return;
  const telling = due.map((alarm) => ({ ...alarm, of: tellingOf(alarm) }));
  for (const { id, email, role, state } of await listStaff(db)) {
    const own = telling.filter(({ kind }) => may(role, latePlaces[kind as LateFact["kind"]].acts));
    if (state !== "active" || own.length === 0) continue;
    await queueMail(tx, { to: email, userId: id, content: alarmMail(site, own), now });
  }
  const told = (of: TellingOf) => telling.filter((each) => each.of === of).map(({ id }) => id);
  const change = async (ids: string[], set: Partial<typeof alarms.$inferInsert>) => {
    if (ids.length > 0) await tx.update(alarms).set(set).where(inArray(alarms.id, ids));
  };
  await change(told("begun"), { toldAt: now, remindedAt: now });
  await change(told("goes on"), { remindedAt: now });
  await change(told("over"), { clearedAt: now });
}

function tellingOf({ endedAt, toldAt }: typeof alarms.$inferSelect): TellingOf {
  if (endedAt) return "over";
  return toldAt ? "goes on" : "begun";
}

function ago(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
