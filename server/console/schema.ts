// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { pgTable, text, uuid } from "#server/platform/tables.ts";
import { time } from "#server/platform/columns.ts";

export const alarms = pgTable("alarms", {
  id: uuid("id").notNull(),
  subject: text("subject").notNull(),
  kind: text("kind").notNull(),
  words: text("words").notNull(),
  lateSince: time("late_since"),
  begunAt: time("begun_at").notNull(),
  seenAt: time("seen_at").notNull(),
  endedAt: time("ended_at"),
  toldAt: time("told_at"),
  remindedAt: time("reminded_at"),
  clearedAt: time("cleared_at"),
});

export const alarmSilences = pgTable("alarm_silences", {
  id: uuid("id").notNull(),
  reason: text("reason").notNull(),
  operatorId: uuid("operator_id").notNull(),
  actId: uuid("act_id").notNull(),
  begunAt: time("begun_at").notNull(),
  endsAt: time("ends_at").notNull(),
  endedAt: time("ended_at"),
  endedBy: uuid("ended_by"),
  endedByAct: uuid("ended_by_act"),
});
