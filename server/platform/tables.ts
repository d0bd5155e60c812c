import { pgCore } from "./database/drizzle.ts";

export type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";

/** Drizzle's words for PostgreSQL's tables. */
export const {
  alias,
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  numeric,
  PgDialect,
  pgTable,
  pgView,
  smallint,
  text,
  timestamp,
  uuid,
} = pgCore;
