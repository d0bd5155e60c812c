import type { FlagKind } from "#core/people/customer-flags.ts";
import { and, asc, desc, eq, gt, inArray, isNull, lte, or, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import { customerFlags } from "./schema.ts";

const f = customerFlags;

const lifters = alias(users, "lifters");

const columns = {
  id: f.id,
  kind: f.kind,
  reason: f.reason,
  raisedAt: f.raisedAt,
  endsAt: f.endsAt,
  raisedByName: sql<string>`coalesce(${users.name}, '')`,
};

/** The flags that stand about a customer now, oldest first. */
export function listStandingFlags(db: Db, customerId: string, now: Date) {
  return db
    .select(columns)
    .from(f)
    .innerJoin(users, eq(users.id, f.raisedBy))
    .where(and(eq(f.customerId, customerId), isNull(f.liftedAt), gt(f.endsAt, now)))
    .orderBy(asc(f.raisedAt), asc(f.id));
}

export type StandingFlag = Awaited<ReturnType<typeof listStandingFlags>>[number];

/** What stands about each of these customers, for lists: kinds alone, oldest first. Who has none is left out. */
export async function listKindsOfFlags(
  db: Db,
  customerIds: string[],
  now: Date,
): Promise<Record<string, FlagKind[]>> {
  if (customerIds.length === 0) return {};
  const standing = await db
    .select({ customerId: f.customerId, kind: f.kind })
    .from(f)
    .where(and(inArray(f.customerId, customerIds), isNull(f.liftedAt), gt(f.endsAt, now)))
    .orderBy(asc(f.raisedAt), asc(f.id));
  const kinds: Record<string, FlagKind[]> = {};
  for (const { customerId, kind } of standing) {
    kinds[customerId] = [...(kinds[customerId] ?? []), kind];
  }
  return kinds;
}

/** The flags about a customer that have ended, the newest first. */
export function listEndedFlags(db: Db, customerId: string, now: Date, limit: number) {
  return db
    .select({ ...columns, liftedAt: f.liftedAt, liftedByName: lifters.name })
    .from(f)
    .innerJoin(users, eq(users.id, f.raisedBy))
    .leftJoin(lifters, eq(lifters.id, f.liftedBy))
    .where(
      and(eq(f.customerId, customerId), or(lte(f.endsAt, now), sql`${f.liftedAt} is not null`)),
    )
    .orderBy(desc(f.raisedAt), desc(f.id))
    .limit(limit);
}
