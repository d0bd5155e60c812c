import { type LateFact, lateAdvice, latePlaces } from "#core/late.ts";
import { may, type OperatorRole } from "#core/permissions.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { and, desc, eq, gt, isNull, lte, sql } from "#server/platform/sql.ts";
import { users } from "../../identity/schema.ts";
import { alarmSilences, alarms } from "../schema.ts";

/** Alarms that a role may read of, the newest first: those that go on, and as many of the others as `limit` leaves. */
export async function listAlarms(db: Db, role: OperatorRole, limit: number) {
  const rows = await db
    .select()
    .from(alarms)
    .orderBy(sql`${alarms.endedAt} is not null`, desc(alarms.begunAt), desc(alarms.id))
    .limit(limit);
  return rows.flatMap(({ kind, ...alarm }) => {
    // Of a version that knew others.
    const place = Object.hasOwn(latePlaces, kind) ? latePlaces[kind as LateFact["kind"]] : null;
    return place && may(role, place.reads)
      ? [{ ...alarm, to: place.to, advice: lateAdvice[kind as LateFact["kind"]] }]
      : [];
  });
}

export type ListedAlarm = Awaited<ReturnType<typeof listAlarms>>[number];

/** The silence that goes on; null: staff are mailed. */
export async function findSilence(db: Db | Tx, now: Date) {
  const s = alarmSilences;
  const [found] = await db
    .select({
      id: s.id,
      reason: s.reason,
      begunAt: s.begunAt,
      endsAt: s.endsAt,
      by: sql<string>`${users.name}`,
    })
    .from(s)
    .innerJoin(users, eq(users.id, s.operatorId))
    .where(and(lte(s.begunAt, now), gt(s.endsAt, now), isNull(s.endedAt)))
    .orderBy(desc(s.endsAt))
    .limit(1);
  return found ?? null;
}
