import type { ReadFailureReason } from "#core/payments/read-failures.ts";
import { boolean, integer, pgTable, text, unique, uuid } from "#server/platform/tables.ts";
import { bytes, time } from "../platform/columns.ts";

export const newsSources = pgTable("news_sources", {
  id: uuid().primaryKey(),
  name: text().notNull(),
  url: text().notNull(),
  enabled: boolean().notNull().default(true),
  revision: integer().notNull().default(1),
  removedAt: time("removed_at"),
  createdAt: time("created_at").notNull(),
  createdByAct: uuid("created_by_act").notNull(),
  changedByAct: uuid("changed_by_act").notNull(),
  nextReadAt: time("next_read_at").notNull(),
  readAt: time("read_at"),
  succeededAt: time("succeeded_at"),
  failures: integer().notNull().default(0),
  lastFailure: text("last_failure").$type<ReadFailureReason>(),
  skipped: integer().notNull().default(0),
  etag: text(),
  lastModified: text("last_modified"),
});

export const newsItems = pgTable(
  "news_items",
  {
    id: uuid().primaryKey(),
    sourceId: uuid("source_id")
      .notNull()
      .references(() => newsSources.id),
    keySha256: bytes("key_sha256").notNull(),
    title: text().notNull(),
    url: text().notNull(),
    summary: text().notNull(),
    publishedAt: time("published_at").notNull(),
    firstSeenAt: time("first_seen_at").notNull(),
  },
  (t) => [unique("one_item_per_key").on(t.sourceId, t.keySha256)],
);
