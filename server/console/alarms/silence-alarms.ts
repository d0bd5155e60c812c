import { randomUUIDv7 } from "node:crypto";
import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { and, eq, isNull, sql } from "#server/platform/sql.ts";
import { alarmSilences } from "../schema.ts";
import { findSilence } from "./list-alarms.ts";

/**
 * Keeps mails about what is late back for some hours, with the reason. What is late is noted all the same, and told afterwards.
 *
 * Refuses with `console/silent-already`, and as `actAsOperator` does.
 */
export async function silenceAlarms(
  db: Db,
  operator: ActingOperator,
  { hours, reason }: { hours: number; reason: string },
  now: Date,
): Promise<void> {
  const id = randomUUIDv7();
  const act = {
    act: "console/silence-alarms" as const,
    subject: `silence:${id}`,
    detail: { hours, reason },
    now,
  };
  await actAsOperator(db, operator, act, async (tx, actId) => {
    await tx.execute(sql`select lock_fact('alarm silence')`);
    if (await findSilence(tx, now)) throw new Refusal("console/silent-already");
    const endsAt = new Date(now.getTime() + hours * 3_600_000);
    await tx
      .insert(alarmSilences)
      .values({ id, reason, operatorId: operator.id, actId, begunAt: now, endsAt });
  });
}

/**
 * Ends a silence before its time. One that was ended stays so.
 *
 * Refuses with `console/no-such-silence`, and as `actAsOperator` does.
 */
export async function endSilence(
  db: Db,
  operator: ActingOperator,
  silenceId: string,
  now: Date,
): Promise<void> {
  if (!isUuid(silenceId)) throw new Refusal("console/no-such-silence");
  await db.transaction(async (tx) => {
    const s = alarmSilences;
    const isThis = eq(s.id, silenceId);
    const [silence] = await tx.select().from(s).where(isThis).for("update");
    if (!silence) throw new Refusal("console/no-such-silence");
    if (silence.endedAt) return;
    const subject = `silence:${silenceId}`;
    const act = { act: "console/end-silence" as const, subject, detail: {}, now };
    await actAsOperator(tx, operator, act, (inner, actId) =>
      inner
        .update(s)
        .set({ endedAt: now, endedBy: operator.id, endedByAct: actId })
        .where(and(isThis, isNull(s.endedAt))),
    );
  });
}
