import type { AdjustmentKind, AdjustmentState } from "#core/payments/adjustments.ts";
import { retention } from "#core/retention.ts";
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  ilike,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { customers, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { isUuid } from "./adjustment.ts";
import type { DraftEvidence } from "./keep-evidence.ts";
import { adjustmentEvidence, adjustments } from "./schema.ts";

const a = adjustments;
const e = adjustmentEvidence;
const people = alias(users, "people");
const proposers = alias(users, "proposers");
const deciders = alias(users, "deciders");
const reversals = alias(adjustments, "reversals");

const columns = {
  id: a.id,
  kind: a.kind,
  customerId: a.customerId,
  customerName: people.name,
  customerEmail: people.email,
  asset: a.asset,
  units: a.units,
  reason: a.reason,
  reverses: a.reverses,
  proposedBy: a.proposedBy,
  proposerName: sql<string>`coalesce(${proposers.name}, '')`,
  proposedAt: a.proposedAt,
  state: a.state,
  decidedBy: a.decidedBy,
  deciderName: deciders.name,
  decidedAt: a.decidedAt,
  rejectionReason: a.rejectionReason,
  transferId: a.transferId,
  /** The approved adjustment that took this one back. */
  reversedBy: sql<string | null>`(
    select r.id from adjustments r where r.reverses = ${a.id} and r.state = 'approved')`,
};

function selectAdjustments(db: Db | Tx) {
  return db
    .select(columns)
    .from(a)
    .innerJoin(proposers, eq(proposers.id, a.proposedBy))
    .leftJoin(people, eq(people.id, a.customerId))
    .leftJoin(deciders, eq(deciders.id, a.decidedBy));
}
export type ListedAdjustment = Awaited<ReturnType<typeof selectAdjustments>>[number];

export interface AdjustmentFilter {
  state: AdjustmentState;
  kind?: AdjustmentKind | undefined;
  /** Part of the customer's name or e-mail, or of the reason. */
  search?: string | undefined;
  /** The id of the last one seen. */
  after?: string | undefined;
  limit: number;
}

/** Adjustments in one state: those that wait, the oldest first; others by their decision, newest first. */
export function listAdjustments(
  db: Db | Tx,
  { state, kind, search, after, limit }: AdjustmentFilter,
): Promise<ListedAdjustment[]> {
  const isQueue = state === "open";
  return selectAdjustments(db)
    .where(
      and(
        eq(a.state, state),
        kind ? eq(a.kind, kind) : undefined,
        search ? mentioning(search) : undefined,
        after && isUuid(after) ? beyond(after, isQueue) : undefined,
      ),
    )
    .orderBy(...(isQueue ? [asc(a.proposedAt), asc(a.id)] : [desc(a.decidedAt), desc(a.id)]))
    .limit(limit);
}

function mentioning(text: string): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(...[people.name, people.email, a.reason].map((column) => ilike(column, pattern)));
}

function beyond(id: string, isQueue: boolean): SQL {
  return isQueue
    ? gt(
        sql`(${a.proposedAt}, ${a.id})`,
        sql`(select c.proposed_at, c.id from adjustments c where c.id = ${id})`,
      )
    : lt(
        sql`(${a.decidedAt}, ${a.id})`,
        sql`(select c.decided_at, c.id from adjustments c where c.id = ${id})`,
      );
}

/** A customer's adjustments in whatever state, newest first. */
export function listAdjustmentsOf(
  db: Db | Tx,
  customerId: string,
  limit: number,
): Promise<ListedAdjustment[]> {
  return selectAdjustments(db)
    .where(eq(a.customerId, customerId))
    .orderBy(desc(a.proposedAt), desc(a.id))
    .limit(limit);
}

/** How many adjustments a customer has, in whatever state. */
export async function countAdjustmentsOf(db: Db | Tx, customerId: string): Promise<number> {
  const [found] = await db.select({ count: count() }).from(a).where(eq(a.customerId, customerId));
  return found?.count ?? 0;
}

/** One adjustment with all that its decision needs; null when there is none. */
export async function findAdjustment(db: Db | Tx, id: string) {
  if (!isUuid(id)) return null;
  const [found] = await db
    .select({
      ...columns,
      note: a.note,
      txid: a.txid,
      feeUnits: a.feeUnits,
      isOnChain: a.isOnChain,
      evidenceName: e.originalName,
      evidenceMediaType: e.mediaType,
      evidenceByteSize: e.byteSize,
      evidenceSha256: sql<string | null>`encode(${e.sha256}, 'hex')`,
      evidenceErasedAt: e.erasedAt,
      /** The reversal that waits or was approved. */
      reversalId: reversals.id,
      reversalState: reversals.state,
    })
    .from(a)
    .innerJoin(proposers, eq(proposers.id, a.proposedBy))
    .leftJoin(people, eq(people.id, a.customerId))
    .leftJoin(deciders, eq(deciders.id, a.decidedBy))
    .leftJoin(e, eq(e.id, a.evidenceId))
    .leftJoin(
      reversals,
      and(
        eq(reversals.reverses, a.id),
        or(eq(reversals.state, "open"), eq(reversals.state, "approved")),
      ),
    )
    .where(eq(a.id, id));
  return found ?? null;
}
export type AdjustmentCase = NonNullable<Awaited<ReturnType<typeof findAdjustment>>>;

/** Which adjustment waits longest that this operator may decide, this one left aside; null when none does. */
export async function findNextAdjustment(
  db: Db,
  { exceptId, operatorId }: { exceptId: string; operatorId: string },
): Promise<string | null> {
  const [next] = await db
    .select({ id: a.id })
    .from(a)
    .where(
      and(eq(a.state, "open"), sql`${a.id} <> ${exceptId}`, sql`${a.proposedBy} <> ${operatorId}`),
    )
    .orderBy(asc(a.proposedAt), asc(a.id))
    .limit(1);
  return next?.id ?? null;
}

/** Evidence that this operator uploaded and has not used yet; null when there is none, or it is given up. */
export async function findDraftEvidence(
  db: Db | Tx,
  operatorId: string,
  evidenceId: string,
): Promise<DraftEvidence | null> {
  if (!isUuid(evidenceId)) return null;
  const [draft] = await db
    .select({ evidenceId: e.id, name: e.originalName })
    .from(e)
    .where(
      and(
        eq(e.id, evidenceId),
        eq(e.operatorId, operatorId),
        sql`${e.storedAt} is not null`,
        isNull(e.usedAt),
        isNull(e.discardedAt),
      ),
    );
  return draft ?? null;
}

/** Evidence whose time is over, by `core/retention.ts`; of a proposal that still waits none is. */
export function listEvidenceToErase(
  db: Db,
  { now, after, limit }: { now: Date; after: string; limit: number },
): Promise<Array<{ id: string; fileKey: string }>> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const tooOld = new Date(now);
  tooOld.setUTCFullYear(now.getUTCFullYear() - retention.evidenceYears);
  const declined = and(
    inArray(a.state, ["rejected", "withdrawn"]),
    lt(a.decidedAt, daysAgo(retention.declinedEvidenceDays)),
  );
  const given = and(
    eq(a.state, "approved"),
    or(lt(a.decidedAt, tooOld), lt(customers.erasedAt, daysAgo(retention.closedAccountSlipDays))),
  );
  return db
    .select({ id: e.id, fileKey: e.fileKey })
    .from(e)
    .innerJoin(a, eq(a.evidenceId, e.id))
    .leftJoin(customers, eq(customers.id, a.customerId))
    .where(and(isNull(e.erasedAt), or(declined, given), gt(e.id, after)))
    .orderBy(asc(e.id))
    .limit(limit);
}

/** What a customer may know of the adjustment behind a transfer of his; null when there is none. Who decided is not told. */
export async function findOwnAdjustment(db: Db | Tx, customerId: string, transferId: string) {
  const [own] = await db
    .select({
      kind: a.kind,
      reason: a.reason,
      proposedAt: a.proposedAt,
      decidedAt: a.decidedAt,
      evidenceSha256: sql<string | null>`encode(${e.sha256}, 'hex')`,
      reversedByTransfer: sql<string | null>`(
        select r.transfer_id from adjustments r where r.reverses = ${a.id} and r.state = 'approved')`,
    })
    .from(a)
    .leftJoin(e, eq(e.id, a.evidenceId))
    .where(and(eq(a.customerId, customerId), eq(a.transferId, transferId)));
  return own ?? null;
}
