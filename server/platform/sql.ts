import { queries } from "./database/drizzle.ts";

export type { SQL } from "drizzle-orm";

/** Drizzle's words for queries. */
export const {
  aliasedTable,
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  min,
  ne,
  not,
  notExists,
  notInArray,
  or,
  sql,
  TransactionRollbackError,
} = queries;
