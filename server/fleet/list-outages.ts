import { addDays, startOfDay } from "#core/utc-day.ts";
import { and, asc, desc, eq, gte, isNull, lt, or, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { machineDeliveries, outages, sites } from "./schema.ts";

/** What stands or stood still as it is noted now, what goes on first, then the newest. Also what was taken back. */
export function listOutages(db: Db | Tx, { limit }: { limit: number }) {
  return db
    .select({
      id: outages.id,
      siteName: sites.name,
      model: machineDeliveries.model,
      startedAt: outages.startedAt,
      endedAt: outages.endedAt,
      lostGhs: outages.lostGhs,
      reason: outages.reason,
      isCorrected: sql<boolean>`${outages.corrects} is not null`,
      withdrawnAt: outages.withdrawnAt,
      createdAt: outages.createdAt,
    })
    .from(outages)
    .innerJoin(sites, eq(sites.id, outages.siteId))
    .leftJoin(machineDeliveries, eq(machineDeliveries.id, outages.deliveryId))
    .where(isNotReplaced)
    .orderBy(
      sql`${outages.endedAt} is not null or ${outages.withdrawnAt} is not null`,
      desc(outages.startedAt),
    )
    .limit(limit);
}

const isNotReplaced = sql`not exists (select from outages later where later.corrects = ${outages.id})`;

/**
 * What stood still in some part of the time from one UTC day to another, both included, the first first: as customers read
 * it, with all corrections.
 */
export async function listOutagesBetween(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<Outage[]> {
  const [begin, end] = [startOfDay(from), startOfDay(addDays(until, 1))];
  return db
    .select({
      siteName: sites.name,
      startedAt: outages.startedAt,
      endedAt: outages.endedAt,
      reason: outages.reason,
    })
    .from(outages)
    .innerJoin(sites, eq(sites.id, outages.siteId))
    .where(
      and(
        isNotReplaced,
        isNull(outages.withdrawnAt),
        lt(outages.startedAt, end),
        or(isNull(outages.endedAt), gte(outages.endedAt, begin)),
      ),
    )
    .orderBy(asc(outages.startedAt), asc(outages.id))
    .limit(1000);
}

export interface Outage {
  siteName: string;
  startedAt: Date;
  endedAt: Date | null;
  reason: string;
}
