import { type LateFact, lateAdvice, lateKinds, latePlaces } from "#core/late.ts";
import { may, type OperatorRole } from "#core/permissions.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, sql } from "#server/platform/sql.ts";
import { users } from "../../identity/schema.ts";
import { alarmSilences, alarms } from "../schema.ts";

/** Alarms that a role may read of, the newest first: those that go on, then as many of the others as `limit` says. */
export async function listAlarms(db: Db, role: OperatorRole, limit: number) {
  const readable = inArray(
    alarms.kind,
    lateKinds.filter((kind) => may(role, latePlaces[kind].reads)),
  );
  const read = (ended: ReturnType<typeof isNull>, most: number) =>
    db
      .select()
      .from(alarms)
      .where(and(ended, readable))
      .orderBy(desc(alarms.begunAt), desc(alarms.id))
      .limit(most);
  const open = await read(isNull(alarms.endedAt), 1000);
  const over = await read(isNotNull(alarms.endedAt), limit);
  return [...open, ...over].map((alarm) => ({
    ...alarm,
    to: latePlaces[alarm.kind as LateFact["kind"]].to,
    advice: lateAdvice[alarm.kind as LateFact["kind"]],
  }));
}

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
