import { asc, eq, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { machineDeliveries, outages, sites } from "./schema.ts";

const noted = alias(auditLog, "noted");

const notedBy = alias(users, "noted_by");

const withdrawn = alias(auditLog, "withdrawn");

const withdrawnBy = alias(users, "withdrawn_by");

export type OutageVersion = Awaited<ReturnType<typeof listOutageVersions>>[number];

/** What was said of an outage, one version after the other, the first first; of whichever of them the id is. None: no such outage. */
export async function listOutageVersions(db: Db | Tx, outageId: string) {
  const line = sql`(
    with recursive earlier as (
      select id, corrects from outages where id = ${outageId}
       union all
      select o.id, o.corrects from earlier join outages o on o.id = earlier.corrects
    ), line as (
      select id from earlier where corrects is null
       union all
      select o.id from line join outages o on o.corrects = line.id
    ) select id from line)`;
  return db
    .select({
      id: outages.id,
      siteId: outages.siteId,
      siteName: sites.name,
      deliveryId: outages.deliveryId,
      model: machineDeliveries.model,
      startedAt: outages.startedAt,
      endedAt: outages.endedAt,
      lostGhs: outages.lostGhs,
      reason: outages.reason,
      corrects: outages.corrects,
      correctionReason: outages.correctionReason,
      createdAt: outages.createdAt,
      by: notedBy.name,
      withdrawnAt: outages.withdrawnAt,
      withdrawalReason: outages.withdrawalReason,
      withdrawnBy: withdrawnBy.name,
    })
    .from(outages)
    .innerJoin(sites, eq(sites.id, outages.siteId))
    .leftJoin(machineDeliveries, eq(machineDeliveries.id, outages.deliveryId))
    .innerJoin(noted, eq(noted.id, outages.actionId))
    .leftJoin(notedBy, eq(notedBy.id, noted.operatorId))
    .leftJoin(withdrawn, eq(withdrawn.id, outages.withdrawalActionId))
    .leftJoin(withdrawnBy, eq(withdrawnBy.id, withdrawn.operatorId))
    .where(sql`${outages.id} in ${line}`)
    .orderBy(asc(outages.createdAt), sql`${outages.corrects} is not null`);
}
